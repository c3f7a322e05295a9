#include "read/events.h"
#include "rebuild/event_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What is defined: all sites up to 799 but D; threads 1 and 7; function 12. */
enum { SITE_COUNT = 800, UNDEFINED_SITE = 3 };
static uint32_t sites[SITE_COUNT];
static uint32_t functions[] = {[12] = 1 + 0, [13] = 0};
static uint32_t threads[] = {[1] = 1 + 0, [7] = 1 + 1, [9] = 0};

static struct id_map site_ids, function_ids, thread_ids;

static void define_sites(void)
{
    for (uint32_t i = 0; i < SITE_COUNT; i++)
        sites[i] = event_make(i == 0 ? EVENT_ROOT_CALL : EVENT_CALL, i, 0).what;
    sites[UNDEFINED_SITE] = 0;
}

static void tear_down(void)
{
    index_release(&site_ids.index);
    index_release(&function_ids.index);
    index_release(&thread_ids.index);
}

TestSuite(events, .init = define_sites, .fini = tear_down);

/* One reading of a text; see events_read(). */
struct reading {
    char *bytes; /* one, then the text; none after it, so that reading one is noticed */
    struct events_text text;
    struct events events;
    size_t from;
    uint64_t count;
    uint32_t id;
};

static void reading_init(struct reading *reading, const char *text, bool is_cut)
{
    size_t length = strlen(text);
    *reading = (struct reading){.bytes = malloc(1 + length), .id = UINT32_MAX - 1};
    memcpy(reading->bytes + 1, text, length);
    reading->text = (struct events_text){.text = {reading->bytes + 1, length},
                                         .sites = &site_ids,
                                         .functions = &function_ids,
                                         .threads = &thread_ids};
    if (is_cut)
        reading->text.text.length = events_whole_length(reading->text.text);
}

static enum events_problem read_on(struct reading *reading)
{
    id_map_fill(&site_ids, sites, SITE_COUNT);
    id_map_fill(&function_ids, functions, sizeof functions / sizeof functions[0]);
    id_map_fill(&thread_ids, threads, sizeof threads / sizeof threads[0]);
    return events_read(&reading->events, &reading->text, &reading->from, &reading->count,
                       &reading->id);
}

static void expect_events(const struct reading *reading, const char *text, const char *events)
{
    char *found = events_describe(&reading->events);
    cr_expect_str_eq(found, events, "'%s' became '%s', not '%s'", text, found, events);
    free(found);
}

static void reading_release(struct reading *reading)
{
    free(reading->events.at);
    free(reading->bytes);
}

struct whole_text {
    const char *text;
    uint64_t count;
    const char *events;
};

static void expect_whole(const struct whole_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct reading reading;
        reading_init(&reading, texts[i].text, false);
        cr_expect_eq(read_on(&reading), EVENTS_READ, "%s", texts[i].text);
        cr_expect_eq(reading.from, strlen(texts[i].text), "%s", texts[i].text);
        cr_expect_eq(reading.count, texts[i].count, "%s", texts[i].text);
        expect_events(&reading, texts[i].text, texts[i].events);
        reading_release(&reading);
    }
}

#define EXPECT_WHOLE(texts) expect_whole(texts, sizeof texts / sizeof texts[0])

Test(events, are_read_of_every_kind)
{
    static const struct whole_text texts[] = {
        {"", 0, ""},
        {"A", 1, "root(0)"},
        {"B", 1, "call(1)"},
        {".", 1, "return"},
        {"/3:", 1, "unwind(3)"},
        {"/3:5.A/12:6+7!", 5, "unwind(3)+5 return root(0) memory+7 unwind(12)+6 mark"},
        {"^12.", 1, "other(0)"},
        {",", 1, "tail"},
        {"!", 1, "mark"},
        {"@1", 1, "thread(0)"},
        {"@7", 1, "thread(1)"},
        {"#30", 1, "tick=30"},
        {"#0", 1, "tick"},
        {"~", 1, "forget"},
        {"()", 1, "stack(0)"},
        {"(B)", 1, "stack(1) frame(1)"},
        {"(AaBB)", 1, "stack(3) frame(26) frame(1) frame(1)"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, have_the_sites_that_their_letters_say)
{
    static const struct whole_text texts[] = {
        {"ZAaAz", 3, "call(25) call(26) call(51)"},
        {"BaZaZz", 3, "call(52) call(676) call(701)"},
        {"AaaAab", 2, "call(702) call(703)"},
        {"(AZAaZzAaa)", 1, "stack(5) frame(0) frame(25) frame(26) frame(701) frame(702)"},
        {"BB", 2, "call(1) call(1)"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, have_the_units_that_follow_them)
{
    static const struct whole_text texts[] = {
        {"B5A12.3", 3, "call(1)+5 root(0)+12 return+3"},
        {"^12.5,6!7", 3, "other(0)+5 tail+6 mark+7"},
        {"Aa100Zz9", 2, "call(26)+100 call(701)+9"},
        {"B0.00B007", 3, "call(1) return call(1)+7"},
        {"B4294967295", 1, "call(1)+4294967295"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, stand_behind_the_memory_that_they_found)
{
    static const struct whole_text texts[] = {
        {"B+3", 1, "memory+3 call(1)"},
        {"B5+3", 1, "memory+3 call(1)+5"},
        {".+1.2+10.", 3, "memory+1 return memory+10 return+2 return"},
        {"A+1^12.+2,+3!4+5", 4, "memory+1 root(0) memory+2 other(0) memory+3 tail memory+5 mark+4"},
        {"B+4294967295", 1, "memory+4294967295 call(1)"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, follow_one_another_without_anything_between)
{
    static const struct whole_text texts[] = {
        {"#30@7(AB)B5.12@1!~.", 9,
         "tick=30 thread(1) stack(2) frame(0) frame(1) call(1)+5 return+12 thread(0) mark forget "
         "return"},
        {"()()(B)B", 4, "stack(0) stack(0) stack(1) frame(1) call(1)"},
        {"~^12.(B)^12.1,,", 6, "forget other(0) stack(1) frame(1) other(0)+1 tail tail"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, with_numbers_too_large_have_the_largest)
{
    static const struct whole_text texts[] = {
        {"B4294967296.", 2, "call(1)+4294967295 return"},
        {"B99999999999999999999999999999999.", 2, "call(1)+4294967295 return"},
        {"B1+18446744073709551617.", 2, "memory+4294967295 call(1)+1 return"},
        {"#4294967296", 1, "tick=4294967295"},
    };
    EXPECT_WHOLE(texts);
}

Test(events, are_read_up_to_the_first_that_is_none)
{
    static const struct {
        const char *text;
        size_t offset;
        uint64_t count;
        const char *events;
    } texts[] = {
        {"?", 0, 0, ""},
        {"B?B", 1, 1, "call(1)"},
        {"B5 .", 2, 1, "call(1)+5"},
        {"b", 0, 0, ""},
        {"B.5b", 3, 2, "call(1) return+5"},
        {"5", 0, 0, ""},
        {"B=5", 1, 1, "call(1)"},
        {"B5.5.5?", 6, 3, "call(1)+5 return+5 return+5"},
        /* Memory. */
        {"+3", 0, 0, ""},
        {"B+", 0, 0, ""},
        {".B5+", 1, 1, "return"},
        {".B5+x", 1, 1, "return"},
        {"B5+3+4", 4, 1, "memory+3 call(1)+5"},
        /* Threads, ticks, forgetting: they have neither units nor memory. */
        {".@", 1, 1, "return"},
        {".@x", 1, 1, "return"},
        {"@16777216", 0, 0, ""},
        {"@99999999999999", 0, 0, ""},
        {"@1+3", 2, 1, "thread(0)"},
        {"#", 0, 0, ""},
        {"#-3", 0, 0, ""},
        {"#3+4", 2, 1, "tick=3"},
        {"~5", 1, 1, "forget"},
        /* Returns of others. */
        {"^", 0, 0, ""},
        {"^.", 0, 0, ""},
        {".^12", 1, 1, "return"},
        {"/", 0, 0, ""},
        {"/:", 0, 0, ""},
        {"/3.", 0, 0, ""},
        {"/16777216:", 0, 0, ""},
        {"^12,", 0, 0, ""},
        {"^x.", 0, 0, ""},
        {"^16777216.", 0, 0, ""},
        /* Stacks. */
        {"(", 0, 0, ""},
        {")", 0, 0, ""},
        {".(B", 1, 1, "return"},
        {".(B.)", 1, 1, "return"},
        {".(B5)", 1, 1, "return"},
        {".(b)", 1, 1, "return"},
        {"((B))", 0, 0, ""},
        {"(B)5", 3, 1, "stack(1) frame(1)"},
        {"(B)+5", 3, 1, "stack(1) frame(1)"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct reading reading;
        reading_init(&reading, texts[i].text, false);
        cr_expect_eq(read_on(&reading), EVENTS_DAMAGED, "%s", texts[i].text);
        cr_expect_eq(reading.from, texts[i].offset, "%s", texts[i].text);
        cr_expect_eq(reading.count, texts[i].count, "%s", texts[i].text);
        expect_events(&reading, texts[i].text, texts[i].events);
        reading_release(&reading);
    }
}

static void expect_undefined(const char *text, enum events_problem problem, size_t offset,
                             uint32_t id, const char *before, const char *after)
{
    struct reading reading;
    reading_init(&reading, text, false);
    cr_expect_eq(read_on(&reading), problem, "%s", text);
    cr_expect_eq(reading.from, offset, "%s", text);
    cr_expect_eq(reading.id, id, "%s", text);
    expect_events(&reading, text, before);
    /* It is defined, and reading goes on. */
    sites[UNDEFINED_SITE] = event_make(EVENT_CALL, 555, 0).what;
    functions[13] = 1 + 55;
    threads[9] = 1 + 5;
    cr_expect_eq(read_on(&reading), EVENTS_READ, "%s", text);
    cr_expect_eq(reading.from, strlen(text), "%s", text);
    expect_events(&reading, text, after);
    sites[UNDEFINED_SITE] = functions[13] = threads[9] = 0;
    reading_release(&reading);
}

Test(events, of_what_is_not_defined_are_read_when_it_is)
{
    expect_undefined("D", EVENTS_NO_SITE, 0, 3, "", "call(555)");
    expect_undefined("BD5+1.", EVENTS_NO_SITE, 1, 3, "call(1)",
                     "call(1) memory+1 call(555)+5 return");
    expect_undefined(".(BDB).", EVENTS_NO_SITE, 1, 3, "return",
                     "return stack(3) frame(1) frame(555) frame(1) return");
    expect_undefined("B^13.5.", EVENTS_NO_FUNCTION, 1, 13, "call(1)", "call(1) other(55)+5 return");
    expect_undefined("B5@9!", EVENTS_NO_THREAD, 2, 9, "call(1)+5", "call(1)+5 thread(5) mark");
}

Test(events, are_counted_once_however_often_reading_stops)
{
    struct reading reading;
    reading_init(&reading, "BD.(BD)D", false);
    cr_expect_eq(read_on(&reading), EVENTS_NO_SITE);
    cr_expect_eq(reading.count, 1);
    sites[UNDEFINED_SITE] = event_make(EVENT_CALL, 3, 0).what;
    cr_expect_eq(read_on(&reading), EVENTS_READ);
    cr_expect_eq(reading.count, 5);
    reading_release(&reading);
}

Test(events, of_numbers_that_nothing_can_have_are_not_defined_or_damaged)
{
    struct reading reading;
    reading_init(&reading, ".Azzzzzzzzzzzzzzz", false);
    cr_expect_eq(read_on(&reading), EVENTS_NO_SITE);
    cr_expect_eq(reading.from, 1);
    cr_expect_gt(reading.id, EVENT_OPERAND_MAX);
    reading_release(&reading);
    reading_init(&reading, ".@16777215", false);
    cr_expect_eq(read_on(&reading), EVENTS_NO_THREAD);
    cr_expect_eq(reading.id, EVENT_OPERAND_MAX);
    reading_release(&reading);
}

Test(events, of_a_cut_line_lack_only_the_last)
{
    static const struct {
        const char *text, *events;
    } texts[] = {
        {"", ""},
        {"B", ""},
        {"Zz", ""},
        {"BB", "call(1)"},
        {"BZz", "call(1)"},
        {"BB5", "call(1)"},
        {"BZz52", "call(1)"},
        {"B12.", "call(1)+12"},
        {"B.12", "call(1)"},
        {"B,4", "call(1)"},
        {"B!", "call(1)"},
        {"B!15", "call(1)"},
        {"B^", "call(1)"},
        {"B^1", "call(1)"},
        {"B^12.", "call(1)"},
        {"B^12.5", "call(1)"},
        {"B^12.5+3", "call(1)"},
        {"B^12.+3", "call(1)"},
        {"B/12:5+3", "call(1)"},
        {"B/1", "call(1)"},
        {"/12:.", "unwind(12)"},
        {"^12.B", "other(0)"},
        {"^12.5B", "other(0)+5"},
        {"^12..", "other(0)"},
        {"^12.^12.", "other(0)"},
        {"@1.", "thread(0)"},
        {"#12.", "tick=12"},
        {"B(", "call(1)"},
        {"B(A", "call(1)"},
        {"B(AB", "call(1)"},
        {"B(AB)", "call(1)"},
        {"B()", "call(1)"},
        {"(AB).", "stack(2) frame(0) frame(1)"},
        {"(AB).5", "stack(2) frame(0) frame(1)"},
        {"(AB)~", "stack(2) frame(0) frame(1)"},
        {"(AB)(B", "stack(2) frame(0) frame(1)"},
        {"(AB)B.", "stack(2) frame(0) frame(1) call(1)"},
        {"(B)(B)", "stack(1) frame(1)"},
        {"B@", "call(1)"},
        {"B@1", "call(1)"},
        {"B@71", "call(1)"},
        {"B#", "call(1)"},
        {"B#30", "call(1)"},
        {"B~", "call(1)"},
        {"B+", ""},
        {"B5+", ""},
        {"B5+3", ""},
        {"BB5+3", "call(1)"},
        {"B5+3.", "memory+3 call(1)+5"},
        {".+", ""},
        {"B.+12", "call(1)"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct reading reading;
        reading_init(&reading, texts[i].text, true);
        cr_expect_eq(read_on(&reading), EVENTS_READ, "%s", texts[i].text);
        expect_events(&reading, texts[i].text, texts[i].events);
        reading_release(&reading);
    }
}

/* Whatever byte a line is cut at: what is read is the beginning of what the whole line says. */
Test(events, of_a_line_cut_anywhere_are_the_first_of_the_whole_line)
{
    static const char text[] = "#30@7(AZzB)Aa15+3.2^12.17+4,,!9@1~B+3Zz.^12.()B5.";
    struct reading whole;
    reading_init(&whole, text, false);
    cr_assert_eq(read_on(&whole), EVENTS_READ);
    uint64_t count = 0;
    for (size_t length = 0; length < sizeof text; length++) {
        char start[sizeof text];
        memcpy(start, text, length);
        start[length] = '\0';
        struct reading reading;
        reading_init(&reading, start, true);
        cr_expect_eq(read_on(&reading), EVENTS_READ, "%s", start);
        /* As texts, since a call whose return is cut off is not the event it was with it. */
        char *found = events_describe(&reading.events);
        char *all = events_describe(&whole.events);
        cr_expect(strncmp(all, found, strlen(found)) == 0, "'%s': %s", start, found);
        free(found);
        free(all);
        cr_expect(reading.count == count || reading.count == count + 1, "%s", start);
        count = reading.count;
        reading_release(&reading);
    }
    cr_expect_eq(count, whole.count - 1);
    reading_release(&whole);
}

Test(events, of_what_is_not_defined_in_a_cut_line_are_read_too)
{
    struct reading reading;
    reading_init(&reading, "BD.B", true);
    cr_expect_eq(read_on(&reading), EVENTS_NO_SITE);
    sites[UNDEFINED_SITE] = event_make(EVENT_CALL, 3, 0).what;
    cr_expect_eq(read_on(&reading), EVENTS_READ);
    expect_events(&reading, "BD.B", "call(1) call(3) return");
    reading_release(&reading);
}

Test(events, keep_their_payload)
{
    struct events events = {0};
    events_put(&events, event_make(EVENT_LOST, 0, 0));
    events_put(&events, event_make(EVENT_FUNCTION, 77, 0));
    struct event_function function = {.id = 9, .is_lua = true, .suspends = true};
    events_put_payload(&events, &function, sizeof function);
    events_put(&events, event_make(EVENT_SITE, EVENT_OPERAND_MAX, 0));
    struct event_site site = {.function = 77, .line = NO_CALLER};
    events_put_payload(&events, &site, sizeof site);
    events_put(&events, event_make(EVENT_END, 0, 0));
    char *found = events_describe(&events);
    cr_expect_str_eq(found, "lost function(77){9,lua,suspends} site(16777215){77,-2} end");
    free(found);
    free(events.at);
}
