#include "report/formats.h"
#include "tree/tree_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *tree, enum report_metric metric, const char *expected)
{
    struct tree_text sample;
    size_t length;
    tree_text_init(&sample, tree);
    char *written = tree_text_write(&sample, &report_speedscope, metric, &length);
    cr_expect_eq(strlen(written), length);
    const char *body = strstr(written, "\"name\":");
    cr_assert_not_null(body);
    cr_expect_str_eq(body, expected);
    free(written);
    tree_text_release(&sample);
}

#define FRAMES                                                                                     \
    "\"name\":\"title\",\n\"shared\":{\"frames\":[\n"                                              \
    "{\"name\":\"A A.lua:1\",\"file\":\"A.lua\",\"line\":1},\n"                                    \
    "{\"name\":\"b() [C]\",\"file\":\"[C]\"}\n]},\n\"profiles\":[\n"

#define TIME                                                                                       \
    "{\"type\":\"sampled\",\"name\":\"Time\",\"unit\":\"nanoseconds\",\"startValue\":0,"           \
    "\"endValue\":7,\"samples\":[[0],\n[0,1]],\n\"weights\":[1,6]}"

#define CALLS                                                                                      \
    "{\"type\":\"sampled\",\"name\":\"Calls\",\"unit\":\"none\",\"startValue\":0,"                 \
    "\"endValue\":5,\"samples\":[[0],\n[0,1],\n[0,1,0]],\n\"weights\":[1,3,1]}"

#define MAIN                                                                                       \
    "{\"type\":\"sampled\",\"name\":\"Time on the main thread\",\"unit\":\"nanoseconds\","         \
    "\"startValue\":0,\"endValue\":7,\"samples\":[[0],\n[0,1]],\n\"weights\":[1,6]}"

static const char tree[] = "A 1\nA;b()@2 2\nA;b()@3 4 2\nA;b()@3;A 0\n";

Test(report_speedscope, has_a_frame_for_a_function_and_no_lines)
{
    expect(tree, METRIC_TIME, FRAMES TIME ",\n" CALLS ",\n" MAIN "\n]}\n");
}

Test(report_speedscope, shows_first_what_is_asked_for)
{
    expect(tree, METRIC_CALLS, FRAMES CALLS ",\n" TIME ",\n" MAIN "\n]}\n");
}

Test(report_speedscope, clamps_what_the_viewer_refuses)
{
    expect("A 1\nA;b()@2 -2\nA;b()@3 1 2\nA;b()@4 7 0\nA;b()@3;A -3\n", METRIC_TIME,
           FRAMES TIME ",\n" CALLS ",\n" MAIN "\n]}\n");
}
