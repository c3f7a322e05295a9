#include "report/sentences/function_name.h"

const char *function_name(const struct labels *labels, uint32_t function)
{
    const struct label *label = &labels->labels[function];
    bool is_nameless = span_is(labels_text(labels, label->name), "?");
    return labels_string(labels, is_nameless ? label->label : label->name);
}
