#include "report/pages/embedded.h"
#include "report/pages/svg/svg.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/* Relative luminance of a color such as "#5186bf", as WCAG 2.1 defines it. */
static double luminance(const char *color)
{
    static const double parts[] = {0.2126, 0.7152, 0.0722};
    unsigned channels[3];
    double sum = 0;
    cr_assert_eq(sscanf(color, "#%2x%2x%2x", &channels[0], &channels[1], &channels[2]), 3);
    for (size_t i = 0; i < 3; i++) {
        double part = channels[i] / 255.0;
        sum += parts[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* The contrast of the dark text. */
static void expect_readable(const char *color)
{
    cr_expect_geq((luminance(color) + 0.05) / (luminance("#111111") + 0.05), 4.5, "%s", color);
}

Test(svg_colors, of_files_let_text_be_read)
{
    for (int i = 0; i < PALETTE_COUNT; i++)
        expect_readable(web_palette[i]);
}

Test(svg_colors, of_changes_let_text_be_read)
{
    struct text text = {0};
    for (uint64_t change = 0; change <= 300; change += 10)
        for (uint64_t old = 0; old <= 300; old += 300) {
            text_cut(&text, 0);
            svg_put_change_color(&text, old == 0 ? change : 300 - change, old, 1000);
            expect_readable(text_string(&text));
        }
    text_release(&text);
}
