#include "report/pages/embedded.h"
#include "report/pages/svg/svg.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct color {
    unsigned red, green, blue;
};

static struct color color_of(const char *text)
{
    struct color color = {0};
    cr_assert_eq(strlen(text), strlen("#5186bf"));
    cr_assert_eq(sscanf(text, "#%2x%2x%2x", &color.red, &color.green, &color.blue), 3);
    return color;
}

static struct color of_change(uint64_t now, uint64_t old, uint64_t all)
{
    struct text text = {0};
    svg_put_change_color(&text, now, old, all);
    struct color color = color_of(text_string(&text));
    text_release(&text);
    return color;
}

/* Relative luminance, and contrast with the dark text, as WCAG 2.1 defines them. */
static double linear(unsigned channel)
{
    double part = channel / 255.0;
    return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(struct color color)
{
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

static double contrast(struct color color)
{
    return (luminance(color) + 0.05) / (luminance(color_of("#111111")) + 0.05);
}

static int spread(struct color color)
{
    int high = fmax(color.red, fmax(color.green, color.blue));
    int low = fmin(color.red, fmin(color.green, color.blue));
    return high - low;
}

Test(svg_colors, of_files_are_colourful_and_let_text_be_read)
{
    for (int i = 0; i < PALETTE_COUNT; i++) {
        struct color color = color_of(web_palette[i]);
        cr_expect_geq(contrast(color), 4.5, "%s", web_palette[i]);
        cr_expect(i < PALETTE_OTHERS ? spread(color) >= 60 : spread(color) <= 20, "%s",
                  web_palette[i]);
        for (int other = 0; other < i; other++)
            cr_expect_str_neq(web_palette[other], web_palette[i]);
    }
}

Test(svg_colors, of_a_change_is_red_for_more_and_blue_for_less)
{
    struct color same = of_change(7, 7, 10);
    cr_expect_eq(spread(same), 0);
    struct color more = of_change(8, 7, 10);
    cr_expect_gt(more.red, more.green);
    cr_expect_gt(more.red, more.blue);
    struct color less = of_change(7, 8, 10);
    cr_expect_gt(less.blue, less.green);
    cr_expect_gt(less.blue, less.red);
    cr_expect_eq(spread(of_change(0, 0, 0)), 0);
}

Test(svg_colors, of_a_change_is_stronger_the_larger_it_is)
{
    int last = -1;
    for (uint64_t now = 1000; now <= 1250; now += 10) {
        struct color color = of_change(now, 1000, 1000);
        cr_expect_gt(spread(color), last);
        cr_expect_geq(contrast(color), 4.5);
        cr_expect_geq(contrast(of_change(1000, now, 1000)), 4.5);
        last = spread(color);
    }
    cr_expect_eq(spread(of_change(2000, 1000, 1000)), last);
    cr_expect_eq(spread(of_change(UINT64_MAX, 0, UINT64_MAX)), last);
}
