#include "base/mem.h"
#include "read/events.h"
#include "rebuild/event_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* All sites have a caller but each 40th, and each 50th is not defined. */
enum { SITE_COUNT = 800, FUNCTION_COUNT = 20, THREAD_COUNT = 20, TEXT_MAX = 300 };
static uint32_t sites[SITE_COUNT], functions[FUNCTION_COUNT], threads[THREAD_COUNT];
static struct id_map site_ids, function_ids, thread_ids;

static void fill_maps(void)
{
    id_map_fill(&site_ids, sites, SITE_COUNT);
    id_map_fill(&function_ids, functions, FUNCTION_COUNT);
    id_map_fill(&thread_ids, threads, THREAD_COUNT);
}

static void define(void)
{
    for (uint32_t i = 0; i < SITE_COUNT; i++)
        sites[i] =
            i % 50 == 7 ? 0 : event_make(i % 40 == 0 ? EVENT_ROOT_CALL : EVENT_CALL, i, 0).what;
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++)
        functions[i] = threads[i] = i == 5 ? 0 : 1 + i;
    fill_maps();
}

static void tear_down(void)
{
    index_release(&site_ids.index);
    index_release(&function_ids.index);
    index_release(&thread_ids.index);
}

TestSuite(known_events, .init = define, .fini = tear_down);

struct reading {
    struct events events;
    enum events_problem problem;
    size_t from;
    uint64_t count;
    uint32_t id;
};

/* Reads a text, in memory of its own, so that reading a byte after it is noticed. */
static struct reading read_text(const char *text, size_t length, struct known_events *known,
                                uint32_t run)
{
    char *bytes = malloc(length + 1);
    memcpy(bytes + 1, text, length);
    struct events_text events_text = {.text = {bytes + 1, length},
                                      .sites = &site_ids,
                                      .functions = &function_ids,
                                      .threads = &thread_ids,
                                      .known = known,
                                      .run = run};
    struct reading reading = {0};
    reading.problem =
        events_read(&reading.events, &events_text, &reading.from, &reading.count, &reading.id);
    free(bytes);
    return reading;
}

static bool is_same(const struct reading *a, const struct reading *b)
{
    return a->problem == b->problem && a->from == b->from && a->count == b->count &&
           a->id == b->id && a->events.count == b->events.count &&
           (a->events.count == 0 ||
            memcmp(a->events.at, b->events.at, a->events.count * sizeof *a->events.at) == 0);
}

/* Whether a text says the same with known events as without, each time that it is read. */
static void expect_same(const char *text, size_t length, struct known_events *known, uint32_t run)
{
    struct reading decoded = read_text(text, length, NULL, 0);
    for (int i = 0; i < 2; i++) {
        struct reading reading = read_text(text, length, known, run);
        char *was = events_describe(&decoded.events), *is = events_describe(&reading.events);
        cr_expect(is_same(&decoded, &reading), "'%.*s' of run %u: %s, not %s", (int)length, text,
                  run, is, was);
        free(was);
        free(is);
        free(reading.events.at);
    }
    free(decoded.events.at);
}

/* Returns how many bytes of a text known_events_read() knows. */
static size_t known_length(const char *text, struct known_events *known, uint32_t run)
{
    struct events events = {.at = mem_zeroed(strlen(text), sizeof *events.at)};
    struct unknown_event unknown;
    uint64_t count = 0;
    struct span span = {text, strlen(text)};
    size_t length = known_events_read(known, run, span, &events, &count, &unknown);
    free(events.at);
    return length;
}

Test(known_events, are_those_that_the_run_has_read)
{
    static const char text[] = "BB.B1B1.B1.2Zz.Aab3,,4..5#12@3~^3.^3.4Aaaa1B123.!!2~";
    struct known_events known = {0};
    expect_same(text, strlen(text), &known, 1);
    cr_expect_eq(known_length(text, &known, 1), strlen("BB.B1B1.B1.2Zz.Aab3,,4..5#12@3~"));
    cr_expect_eq(known_length("B.2", &known, 1), 0);
    cr_expect_eq(known_length("B1.2Zz.B5", &known, 1), strlen("B1.2Zz."));
    cr_expect_eq(known_length("B1.2", &known, 2), 0);
    cr_expect_eq(known_length("B1.2", &known, 257), 0);
    cr_expect_eq(known_length("B1.2", &known, KNOWN_RECORDING_MAX), 0);
    known_events_release(&known);
}

Test(known_events, are_read_up_to_six_bytes)
{
    struct known_events known = {0};
    expect_same("Aab1.2Aab1.12B12345", 19, &known, 1);
    cr_expect_eq(known_length("Aab1.2Aab1.12", &known, 1), strlen("Aab1.2"));
    cr_expect_eq(known_length("B12345", &known, 1), strlen("B12345"));
    /* Whatever the bytes of the run's number are. */
    for (uint32_t run = 1; run < 256; run++) {
        expect_same("Aab1.1,", 7, &known, run);
        cr_expect_eq(known_length("Aab1.12,", &known, 1 + run % 8), 0, "run %u", run);
    }
    known_events_release(&known);
}

Test(known_events, are_no_longer_so_when_memory_or_a_mark_follows)
{
    struct known_events known = {0};
    expect_same("B.1B.1.1.1,1,1B1B1", 18, &known, 1);
    static const char *const texts[] = {"B.1+3", "B.1!",  "B.1!2",  ".1+3.1",    ".1!.1",
                                        ",1+3",  "B1+3.", "B1!.1",  "B1+3.1+2B", "B.1.1+3!4.1",
                                        "B.1+",  "B.1+B", "B1+.1B", "@3+3",      "B.1!!+5.1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_same(texts[i], strlen(texts[i]), &known, 1);
    known_events_release(&known);
}

Test(known_events, of_a_run_are_not_those_of_another)
{
    struct known_events known = {0};
    expect_same("B1.Zz", 5, &known, 1);
    sites[1] = event_make(EVENT_ROOT_CALL, 55, 0).what;
    fill_maps();
    expect_same("B1.Zz", 5, &known, 257);
    sites[1] = event_make(EVENT_CALL, 66, 0).what;
    fill_maps();
    expect_same("B1.Zz", 5, &known, KNOWN_RECORDING_MAX);
    sites[1] = 0;
    fill_maps();
    expect_same("B1.Zz", 5, &known, 2);
    known_events_release(&known);
}

static void expect_same_at_any_place(const char *text)
{
    struct known_events known = {0};
    char repeated[TEXT_MAX];
    for (size_t i = 0; i < sizeof repeated; i++)
        repeated[i] = text[i % strlen(text)];
    for (size_t from = 0; from < strlen(text); from++)
        for (size_t length = 0; length < 160; length++)
            expect_same(repeated + from, length, &known, 1);
    known_events_release(&known);
}

/* Texts of all lengths, so that a window ends at each byte of an event. */
Test(known_events, are_the_same_wherever_a_text_ends_and_begins)
{
    expect_same_at_any_place("BAb1.2Zz.,5..1@3Aab,AzB12.3C.C1");
    expect_same_at_any_place("BAb1.2Zz.,B!B+4.1..Aaaaaa1234567.BBB");
}

/* Any bytes, most of them those of common events. */
Test(known_events, say_the_same_as_decoded_ones)
{
    static const char *const parts[] = {
        ".",   ".",     ".",  ".1",      "B",    "B.",   "Ab", "Ab.", "Ab1", "Zz.1", "A",   "A.",
        "Z",   "Ab9.9", "Ay", ",",       "1",    "2",    "a",  "z",   "+",   "+5",   "!",   "!3",
        "@3",  "@5",    "@",  "#12",     "^3.",  "^5.1", "^",  "~",   "(B",  ")",    "(C)", "/",
        "/3:", "?",     " ",  "B70000.", "\xff", "Aaaa", "{",  "`",   "H"};
    struct known_events known = {0};
    uint32_t random = 1;
    size_t bytes = 0;
    for (int round = 0; round < 10000; round++) {
        char text[TEXT_MAX + 16];
        random = random * 1664525 + 1013904223;
        size_t length = 0, wanted = (random >> 16) % TEXT_MAX;
        /* In most texts, only the first parts, or there would be damage after a few bytes. */
        size_t kinds = round % 4 == 0 ? sizeof parts / sizeof parts[0] : 16;
        while (length < wanted) {
            random = random * 1664525 + 1013904223;
            const char *part = parts[(random >> 16) % kinds];
            memcpy(text + length, part, strlen(part));
            length += strlen(part);
        }
        bytes += length;
        expect_same(text, length, &known, 1 + (uint32_t)round % 3);
    }
    cr_expect_gt(bytes, 1000 * 1000);
    known_events_release(&known);
}
