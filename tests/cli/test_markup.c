#include "cli/manual/markup.h"

#include <criterion/criterion.h>

static void expect_mdoc(const char *manual, const char *mdoc)
{
    struct text text = {0};
    markup_put_mdoc(&text, manual);
    cr_expect_str_eq(text_string(&text), mdoc);
    text_release(&text);
}

Test(markup, fills_lines_and_begins_sentences_on_new_ones)
{
    expect_mdoc("One. Two is long enough to need more than the seventy-eight columns of one line "
                "of mdoc (yes.) Three",
                "One.\nTwo is long enough to need more than the seventy-eight columns of one line "
                "of\nmdoc (yes.)\nThree\n");
    expect_mdoc("One\ntwo\n\nthree", "One\ntwo\n.Pp\nthree\n");
    expect_mdoc("", "");
}

Test(markup, has_marks_for_options_and_values)
{
    expect_mdoc("with {--by=mod}", "with\n.Fl -by Ns = Ns Cm mod\n");
    expect_mdoc("{-o FILE} or {-f}", ".Fl o Ar FILE\nor\n.Fl f\n");
    expect_mdoc("{--overhead=IN,OUT}", ".Fl -overhead Ns = Ns Ar IN , Ns Ar OUT\n");
    expect_mdoc("{FILE} {ticks-csv} {self%}", ".Ar FILE\n.Cm ticks\\-csv\n.Cm self%\n");
    expect_mdoc("{Pa profiler.lua} {Sx NAMES AND PATHS}",
                ".Pa profiler.lua\n.Sx NAMES AND PATHS\n");
}

Test(markup, keeps_what_stands_around_a_mark)
{
    expect_mdoc("the {N}th run", "the\n.Ar N Ns th\nrun\n");
    expect_mdoc("({--from}, {--to}) and {T}.", ".Fl ( -from ,\n.Fl -to )\nand\n.Ar T .\n");
}

Test(markup, tells_literals_from_apostrophes)
{
    expect_mdoc("a team's list, its members' logs", "a team's list, its members' logs\n");
    expect_mdoc("'A->-12' is", ".Ql \\&A\\->\\-12\nis\n");
    expect_mdoc("('90', '#900')", ".Ql ( \\&90 ,\n.Ql \\&#900 )\n");
    expect_mdoc("';' or 'two words'.", ".Ql \\&;\nor\n.Ql \"two words\" .\n");
    expect_mdoc("a ' in front", "a ' in front\n");
}

Test(markup, lets_nothing_look_like_roff)
{
    expect_mdoc("LOUD\\bin", "LOUD\\ebin\n");
    expect_mdoc("{Pa .csv} .csv", ".Pa .csv\n\\&.csv\n");
    expect_mdoc("'\\'", ".Ql \\&\\e\n");
    expect_mdoc("'a\"b'", ".Ql a\\(dqb\n");
}

Test(markup, takes_lines_of_mdoc_as_they_are)
{
    expect_mdoc("list:\n.Bl -tag -width x\n.It Cm {x}\n.El", "list:\n.Bl -tag -width x\n.It Cm "
                                                             "{x}\n.El\n");
}
