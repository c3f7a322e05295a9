#include "report/html/html_writing.h"

#include "report/html/html_json.h"

void html_put_column(struct html_writing *writing, const char *key, uint32_t count,
                     int64_t (*number_at)(const struct html_writing *writing, uint32_t index))
{
    uint32_t index = 0;
    while (index < count && number_at(writing, index) == 0)
        index++;
    if (index == count)
        return;
    html_put_key(writing->json, key);
    text_put_string(writing->json, "[");
    for (index = 0; index < count; index++) {
        text_put_string(writing->json, index > 0 ? "," : "");
        text_put_number(writing->json, number_at(writing, index));
    }
    text_put_string(writing->json, "]");
}
