#include "cli/logs/memory_need.h"
#include "cli/options/command_line.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const double GB = 0x1p30;

/* What is said of logs on a computer with 16 GB; the words have single blanks between them. */
static void expect_said(double log_gb, bool is_packed, const char *words, const char *wanted)
{
    struct options options;
    struct error err;
    char line[128], *argv[16];
    int argc = 0;
    snprintf(line, sizeof line, "supprof --no-config %s", words);
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    cr_assert(command_line_read(&options, argc, argv, false, &err), "%s", err.text);
    SCOPED(text) text = {0};
    const struct memory_need need = {log_gb * GB, is_packed, 16 * GB};
    memory_need_put(&text, &need, &options);
    cr_expect_str_eq(text_string(&text), wanted);
    options_release(&options);
}

Test(memory_need, is_said_of_logs_that_can_need_more_than_half_of_the_memory)
{
    expect_said(6.6, false, "a.log", "");
    expect_said(7, false, "a.log",
                "the log has 7.0 GB: for recordings of that size, this report can take 8.4 GB of "
                "memory, and this computer has 16.0 GB. -f csv, without other options, takes less "
                "than half of that");
}

Test(memory_need, depends_on_what_is_shown)
{
    expect_said(15.9, false, "-f csv a.log", "");
    expect_said(17, false, "-f csv a.log",
                "the log has 17.0 GB: for recordings of that size, this report can take 8.5 GB of "
                "memory, and this computer has 16.0 GB. --run takes less, if there are several "
                "recordings");
    expect_said(2.6, false, "-o a.html a.log", "");
    expect_said(3, false, "-o a.html a.log",
                "the log has 3.0 GB: for recordings of that size, this report can take 9.0 GB of "
                "memory, and this computer has 16.0 GB. With --from and --to, it takes less than "
                "half of that; -f csv, without other options, a sixth");
    /* A part of a page is what the advice says. */
    expect_said(3, false, "--to #600 -o a.html a.log", "");
}

Test(memory_need, counts_both_sides_of_a_comparison)
{
    expect_said(3, false, "a.log --diff b.log",
                "the logs have 3.0 GB: for recordings of that size, this report can take 9.0 GB of "
                "memory, and this computer has 16.0 GB. With --from and --to, it takes less than "
                "half of that");
}

Test(memory_need, says_what_it_takes_for_granted)
{
    expect_said(20, true, "a.log",
                "the log has 20.0 GB (if unpacked bytes are ten times the compressed ones): for "
                "recordings of that "
                "size, this report can take 24.0 GB of memory, and this computer has 16.0 GB. -f "
                "csv, without other options, takes less than half of that");
}

Test(memory_need, is_not_said_where_the_memory_is_not_known)
{
    struct options options = {.logs.count = 1};
    SCOPED(text) text = {0};
    memory_need_put(&text, &(struct memory_need){1e15, false, 0}, &options);
    cr_expect_eq(text.length, 0);
}
