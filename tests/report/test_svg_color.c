#include "report/svg/svg_color.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void expect_color(struct svg_color color, const char *expected)
{
    struct text text = {0};
    svg_color_put(&text, color);
    text_put(&text, "", 1);
    cr_expect_str_eq(text.at, expected);
    text_release(&text);
}

static struct svg_color of_file(const char *path)
{
    return svg_color_of_file((struct span){path, strlen(path)});
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static double linear(uint8_t channel)
{
    double part = channel / 255.0;
    return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(struct svg_color color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

static double contrast(struct svg_color color)
{
    return (luminance(color) + 0.05) / (luminance(SVG_COLOR_TEXT) + 0.05);
}

static int spread(struct svg_color color)
{
    int high = fmax(color.red, fmax(color.green, color.blue));
    int low = fmin(color.red, fmin(color.green, color.blue));
    return high - low;
}

Test(svg_color, of_a_file_is_the_same_in_every_picture)
{
    /* These are in pictures that people have: a change here is one that they notice. */
    expect_color(of_file("lua/sim/unit.lua"), "#b09ce7");
    expect_color(of_file("lua/ai/aibrain.lua"), "#c0a4df");
    expect_color(of_file(""), "#eef093");
}

Test(svg_color, of_files_is_colourful_and_lets_text_be_read)
{
    for (int i = 0; i < 5000; i++) {
        char path[32];
        snprintf(path, sizeof path, "lua/%d.lua", i);
        struct svg_color color = of_file(path);
        cr_assert_geq(contrast(color), 4.5, "%s", path);
        cr_assert_geq(spread(color), 40, "%s", path);
    }
    cr_expect_geq(contrast(SVG_COLOR_C), 4.5);
    cr_expect_geq(contrast(SVG_COLOR_OTHER), 4.5);
    cr_expect_leq(spread(SVG_COLOR_C), 10);
}

Test(svg_color, of_a_change_is_red_for_more_and_blue_for_less)
{
    struct svg_color same = svg_color_of_change(7, 7, 10);
    cr_expect_eq(spread(same), 0);
    struct svg_color more = svg_color_of_change(8, 7, 10);
    cr_expect_gt(more.red, more.green);
    cr_expect_gt(more.red, more.blue);
    struct svg_color less = svg_color_of_change(7, 8, 10);
    cr_expect_gt(less.blue, less.green);
    cr_expect_gt(less.blue, less.red);
    cr_expect_eq(spread(svg_color_of_change(0, 0, 0)), 0);
}

Test(svg_color, of_a_change_is_stronger_the_larger_it_is)
{
    int last = -1;
    for (uint64_t now = 1000; now <= 1250; now += 10) {
        struct svg_color color = svg_color_of_change(now, 1000, 1000);
        cr_expect_gt(spread(color), last);
        cr_expect_geq(contrast(color), 4.5);
        cr_expect_geq(contrast(svg_color_of_change(1000, now, 1000)), 4.5);
        last = spread(color);
    }
    cr_expect_eq(spread(svg_color_of_change(2000, 1000, 1000)), last);
    cr_expect_eq(spread(svg_color_of_change(UINT64_MAX, 0, UINT64_MAX)), last);
}
