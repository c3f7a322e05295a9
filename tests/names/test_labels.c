#include "names/labels.h"

#include <criterion/criterion.h>
#include <string.h>

struct sample {
    struct symbols symbols;
    struct paths paths;
    struct labels labels;
};

static void add(struct sample *sample, const char *source, int32_t line, const char *name)
{
    struct intern *strings = &sample->symbols.strings;
    uint32_t source_id = intern_add_span(strings, span_of(source));
    uint32_t name_id = intern_add_span(strings, span_of(name));
    uint32_t function = symbols_add_function(&sample->symbols, source_id, line, name_id);
    sample->symbols.functions[function].name = name_id;
    sample->symbols.functions[function].is_used = true;
}

static void finish(struct sample *sample)
{
    paths_init(&sample->paths, &sample->symbols, &(struct mounts){0}, PATHS_SHORT);
    labels_init(&sample->labels, &sample->symbols, &sample->paths);
}

static void expect(const struct sample *sample, uint32_t rank, const char *expected)
{
    for (uint32_t i = 0; i < sample->symbols.function_count; i++) {
        const struct label *label = &sample->labels.of[i];
        if (sample->labels.ranks[i] == rank)
            cr_expect_str_eq(labels_text(&sample->labels, label->label).at, expected);
    }
}

static void release(struct sample *sample)
{
    labels_release(&sample->labels);
    paths_release(&sample->paths);
    symbols_release(&sample->symbols);
}

Test(labels, name_functions_and_places)
{
    struct sample sample = {0};
    add(&sample, "@a.lua", 12, "B");
    add(&sample, "@a.lua", 7, "?");
    add(&sample, "=[C]", -1, "next");
    add(&sample, "=(tail call)", -1, "");
    add(&sample, "@a;b.lua", 12, "A");
    add(&sample, "=a.lua", -1, "Z");
    finish(&sample);
    expect(&sample, 0, "(tail call)");
    expect(&sample, 1, "? a.lua:7");
    expect(&sample, 2, "A a:b.lua:12");
    expect(&sample, 3, "B a.lua:12");
    expect(&sample, 4, "Z a.lua:?");
    expect(&sample, 5, "next [C]");
    release(&sample);
}

Test(labels, leave_out_the_middle_of_a_long_name)
{
    struct sample sample = {0};
    char name[LABEL_PART_BYTES_MAX + 1], longer[LABEL_PART_BYTES_MAX + 20];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    /* Of two bytes each, after one: so the limit is inside a character. */
    longer[0] = 'b';
    for (size_t i = 1; i + 2 < sizeof longer; i += 2)
        memcpy(longer + i, "\xc3\xa4", 3);
    add(&sample, "=[C]", -1, name);
    add(&sample, "=[C]", -1, longer);
    finish(&sample);
    const struct labels *labels = &sample.labels;
    cr_expect_str_eq(labels_text(labels, labels->of[0].name).at, name);
    struct span cut = labels_text(labels, labels->of[1].name);
    cr_expect_eq(cut.length, 125 + 5 + 124);
    cr_expect(memcmp(cut.at, longer, 125) == 0);
    cr_expect(memcmp(cut.at + 125, "[...]\xc3\xa4", 7) == 0);
    cr_expect_eq(strncmp(labels_text(labels, labels->of[1].label).at, cut.at, cut.length), 0);
    release(&sample);
}

Test(labels, leave_out_the_middle_of_a_long_file)
{
    struct sample sample = {0};
    char source[1000] = "@";
    memset(source + 1, 'd', sizeof source - 2);
    memcpy(source + sizeof source - 7, "/x.lua", 7);
    add(&sample, source, 7, "f");
    source[500] = 'e';
    add(&sample, source, 7, "f");
    finish(&sample);
    const struct labels *labels = &sample.labels;
    struct span first = labels_text(labels, labels->of[0].label);
    struct span second = labels_text(labels, labels->of[1].label);
    cr_expect_eq(first.length, 2 + LABEL_PART_BYTES_MAX + 5 + 2);
    cr_expect_str_eq(first.at + first.length - 8, "/x.lua:7");
    /* They differ in the middle. */
    cr_expect_eq(second.length, first.length + 3);
    cr_expect_str_eq(second.at + second.length - 3, " #2");
    release(&sample);
}

Test(labels, tell_functions_apart_that_come_out_alike)
{
    struct sample sample = {0};
    add(&sample, "=[C]", -1, "n\xe4");
    add(&sample, "=[C]", -1, "z");
    add(&sample, "=[C]", -1, "x\x01y");
    add(&sample, "=[C]", -1, "x\x02y");
    add(&sample, "=[C] #2", -1, "x y");
    add(&sample, "=[C]", -1, "x\x03y");
    add(&sample, "=[C]", -1, "n\xc3\xa4");
    finish(&sample);
    expect(&sample, 0, "n\xc3\xa4 [C]");
    expect(&sample, 1, "n\xc3\xa4 [C] #2");
    expect(&sample, 2, "x y [C]");
    expect(&sample, 3, "x y [C] #2"); /* is really called so */
    expect(&sample, 4, "x y [C] #3");
    expect(&sample, 5, "x y [C] #4");
    expect(&sample, 6, "z [C]");
    release(&sample);
}
