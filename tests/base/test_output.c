#include "base/output.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/supprof-test-XXXXXX";

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void tear_down(void)
{
    unlink("a.csv");
    unlink("link.csv");
    cr_expect_eq(rmdir(directory), 0, "something was left in %s", directory);
}

TestSuite(output, .init = set_up, .fini = tear_down);

static void write_file(const char *text)
{
    struct output output;
    struct error err;
    cr_assert(output_open(&output, "a.csv", &err), "%s", err.text);
    output_put_string(&output, text);
    cr_assert(output_close(&output, &err), "%s", err.text);
}

static void expect_content(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    cr_expect_eq(fread(text, 1, sizeof text - 1, file), strlen(expected));
    cr_expect_str_eq(text, expected);
    fclose(file);
}

Test(output, appears_whole)
{
    struct output output;
    struct error err;
    write_file("old");
    cr_assert(output_open(&output, "a.csv", &err));
    output_put_string(&output, "new");
    expect_content("a.csv", "old");
    cr_assert(output_close(&output, &err));
    expect_content("a.csv", "new");
}

Test(output, keeps_links_and_permissions)
{
    struct stat status;
    struct output output;
    struct error err;
    write_file("old");
    cr_assert_eq(chmod("a.csv", 0640), 0);
    cr_assert_eq(symlink("a.csv", "link.csv"), 0);
    cr_assert(output_open(&output, "link.csv", &err));
    output_put_string(&output, "new");
    cr_assert(output_close(&output, &err));
    expect_content("a.csv", "new");
    cr_assert_eq(lstat("link.csv", &status), 0);
    cr_expect(S_ISLNK(status.st_mode));
    cr_assert_eq(stat("a.csv", &status), 0);
    cr_expect_eq(status.st_mode & 0777, 0640);
}

/* Has the output write into another file, such as a full disk. */
static void lead_to(const struct output *output, const char *path)
{
    int file = open(path, O_WRONLY);
    cr_assert_geq(file, 0);
    cr_assert_eq(dup2(file, output->file), output->file);
    close(file);
}

Test(output, writes_nothing_after_an_error_and_names_the_first)
{
    enum { LARGE = 1024 * 1024 };
    static const char zeros[LARGE];
    struct output output;
    struct error err;
    write_file("old");
    cr_assert(output_open(&output, "b.csv", &err));
    lead_to(&output, "/dev/full");
    cr_expect_not(output_has_failed(&output));
    output_put(&output, zeros, LARGE);
    cr_expect(output_has_failed(&output));
    /* Whatever could be written from now on, it would have a hole before it. */
    lead_to(&output, "a.csv");
    output_put(&output, zeros, LARGE);
    output_put_string(&output, "end");
    cr_expect_not(output_close(&output, &err));
    cr_expect_str_eq(err.text, "cannot write 'b.csv': No space left on device");
    expect_content("a.csv", "old");
}

Test(output, leaves_the_old_file_when_a_write_fails)
{
    struct output output;
    struct error err;
    write_file("old");
    cr_assert(output_open(&output, "a.csv", &err));
    lead_to(&output, "/dev/full");
    output_put_string(&output, "new");
    cr_expect_not(output_close(&output, &err));
    cr_expect_str_eq(err.text, "cannot write 'a.csv': No space left on device");
    expect_content("a.csv", "old");
}

Test(output, does_not_replace_a_device)
{
    struct output output;
    struct error err;
    struct stat status;
    cr_assert(output_open(&output, "/dev/null", &err));
    cr_expect(output_close(&output, &err));
    cr_assert_eq(stat("/dev/null", &status), 0);
    cr_expect(S_ISCHR(status.st_mode));
}

Test(output, says_what_cannot_be_written)
{
    struct output output;
    struct error err;
    cr_expect_not(output_open(&output, ".", &err));
    cr_expect_str_eq(err.text, "cannot write '.': it is a directory");
    cr_expect_not(output_open(&output, "none/a.csv", &err));
    cr_expect_str_eq(err.text,
                     "cannot write 'none/a.csv': its folder does not exist; create it first");
}
