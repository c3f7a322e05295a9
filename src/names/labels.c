#include "names/labels.h"

/* Puts a clean text; a long one without its middle. */
static void put_short(struct text *text, struct span span)
{
    size_t half = LABEL_PART_BYTES_MAX / 2;
    if (span.length <= LABEL_PART_BYTES_MAX) {
        text_put_span(text, span);
        return;
    }
    size_t tail = span.length - half;
    while (text_is_inside_character(span.at[tail]))
        tail++;
    text_put_span(text, text_start(span, half));
    text_put_string(text, "[...]");
    text_put(text, span.at + tail, span.length - tail);
}

static uint32_t add_short(struct labels *labels, struct span span, struct text *text)
{
    text_cut(text, 0);
    put_short(text, span);
    return intern_add_span(&labels->texts, text_span(text));
}

static uint32_t name_of(struct labels *labels, const struct symbols *symbols,
                        const struct function *function, struct span shown, struct text *text)
{
    SCOPED(text) name = {0};
    text_put_clean(&name, intern_get(&symbols->strings, function->name), false);
    if (name.length == 0 && function->line < 0 && !span_is(shown, "[C]"))
        text_put_span(&name, shown);
    if (name.length == 0)
        text_put_string(&name, "?");
    return add_short(labels, text_span(&name), text);
}

static void name_one(struct labels *labels, const struct symbols *symbols,
                     const struct paths *paths, uint32_t id, struct text *text)
{
    const struct function *function = &symbols->functions[id];
    struct label *label = &labels->of[id];
    struct span shown = intern_get(&paths->texts, paths->shown[function->source]);
    struct span mod = intern_get(&paths->texts, paths->mods[function->source]);
    label->mod = add_short(labels, mod, text);
    label->file = add_short(labels, shown, text);
    label->name = name_of(labels, symbols, function, shown, text);

    text_cut(text, 0);
    put_short(text, shown);
    bool is_plain = text_span(text).at[0] == '[' || text_span(text).at[0] == '(';
    if (function->line >= 0) {
        text_put_string(text, ":");
        text_put_number(text, function->line);
    } else if (!is_plain) {
        /* Some other "=text", which can have any ending. */
        text_put_string(text, ":?");
    }
    label->place = intern_add_span(&labels->texts, text_span(text));
    label->said = label->name;
    if (span_is(labels_text(labels, label->name), "?"))
        label->said = label->place;

    text_cut(text, 0);
    text_put_span(text, labels_text(labels, label->name));
    if (label->place != label->name) {
        text_put_string(text, " ");
        text_put_span(text, labels_text(labels, label->place));
    }
    for (size_t i = 0; i < text->length; i++)
        if (text->at[i] == ';')
            text->at[i] = ':';
    label->label = intern_add_span(&labels->texts, text_span(text));
}

struct ranked {
    struct span label, name;
    uint32_t function;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = span_compare(a->label, b->label);
    if (order == 0)
        order = span_compare(a->name, b->name);
    return order != 0 ? order : ORDER(a->function, b->function, 0);
}

/*
 * If several functions have the same label, gives all but the first another one: different
 * bytes in a log can become the same clean text. Returns whether there were any; `ranked`
 * is in order.
 */
static bool tell_apart(struct labels *labels, struct ranked *ranked, uint32_t count,
                       struct text *text)
{
    bool any = false;
    uint32_t shared = 0, number = 1; /* text 0 is that of functions without a label */
    for (uint32_t i = 0; i < count; i++) {
        struct label *label = &labels->of[ranked[i].function];
        if (label->label != shared) {
            shared = label->label;
            number = 1;
            continue;
        }
        if (shared == 0)
            continue;
        do {
            text_cut(text, 0);
            text_put_span(text, labels_text(labels, shared));
            text_put_string(text, " #");
            text_put_count(text, ++number);
        } while (intern_find(&labels->texts, text->at, text->length) != INTERN_NONE);
        label->label = intern_add_span(&labels->texts, text_span(text));
        ranked[i].label = labels_text(labels, label->label);
        any = true;
    }
    return any;
}

void labels_init(struct labels *labels, const struct symbols *symbols, const struct paths *paths)
{
    *labels = (struct labels){0};
    uint32_t count = symbols->function_count;
    labels->of = mem_zeroed(count, sizeof *labels->of);
    SCOPED_ARRAY struct ranked *ranked = mem_zeroed(count, sizeof *ranked);
    SCOPED(text) text = {0};
    intern_add_span(&labels->texts, span_of("")); /* the label of functions that are not used */
    for (uint32_t i = 0; i < count; i++) {
        if (symbols->functions[i].is_used)
            name_one(labels, symbols, paths, i, &text);
        else
            labels->of[i] = (struct label){0};
        ranked[i] = (struct ranked){
            labels_text(labels, labels->of[i].label), labels_text(labels, labels->of[i].name), i};
    }
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    if (tell_apart(labels, ranked, count, &text))
        qsort(ranked, count, sizeof *ranked, compare_ranked);
    labels->ranks = mem_zeroed(count, sizeof *labels->ranks);
    for (uint32_t i = 0; i < count; i++)
        labels->ranks[ranked[i].function] = i;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool has_name_of(const struct label *a, const struct label *b)
{
    return a->name == b->name && a->file == b->file;
}

struct span *labels_find_lasting(const struct labels *labels, const struct symbols *symbols)
{
    uint32_t count = symbols->function_count;
    struct span *lasting = mem_zeroed(count, sizeof *lasting);
    SCOPED_ARRAY const struct label **ranked = mem_zeroed(count, sizeof(struct label *));
    SCOPED(intern) taken = {0};
    for (uint32_t i = 0; i < count; i++)
        ranked[labels->ranks[i]] = &labels->of[i];
    /* In this order, functions with one name and file are neighbours. */
    for (uint32_t i = 0; i < count; i++) {
        const struct label *label = ranked[i];
        size_t function = (size_t)(label - labels->of);
        struct span file = labels_text(labels, label->file);
        struct span all = labels_text(labels, label->label), start = all;
        size_t line = all.length;
        uint32_t id;
        while (line > 0 && is_digit(all.at[line - 1]))
            line--;
        bool is_alone = (i == 0 || !has_name_of(label, ranked[i - 1])) &&
                        (i + 1 == count || !has_name_of(label, ranked[i + 1]));
        lasting[function] = all;
        if (!is_alone || symbols->functions[function].line < 0 || file.length == 0 ||
            is_digit(file.at[file.length - 1]) || line < 2 || all.at[line - 1] != ':')
            continue;
        start.length = line - 1;
        if (intern_find(&labels->texts, start.at, start.length) == INTERN_NONE &&
            intern_is_new(&taken, start, &id))
            lasting[function] = start;
    }
    return lasting;
}

void labels_release(struct labels *labels)
{
    intern_release(&labels->texts);
    free(labels->of);
    free(labels->ranks);
    *labels = (struct labels){0};
}
