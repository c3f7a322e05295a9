#include "report/sentences/finding.h"

double finding_number(const struct finding *finding, const char *name)
{
    for (size_t i = 0; i < finding->number_count; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return finding->numbers[i].value;
    return 0;
}
