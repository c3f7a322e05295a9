#define PCRE2_CODE_UNIT_WIDTH 8
#include "cli/commit.h"
#include "cli/manual/help.h"
#include "cli/mcp/mcp.h"
#include "cli/messages/console.h"
#include "cli/messages/exit_status.h"
#include "cli/options/command_line.h"
#include "cli/reports/reporting.h"
#include "platform/file.h"
#include "platform/process.h"
#include "platform/terminal.h"

#include <errno.h>
#include <pcre2.h>
#include <zlib.h>

static const char commit[] = SUPPROF_COMMIT;

/* Opens the first file that was written. */
static void open_report(const struct options *options, struct console *console)
{
    size_t i = 0;
    while (i < options->output_count && file_is_standard(options->outputs[i].path))
        i++;
    if (i == options->output_count)
        return;
    if (process_show(options->outputs[i].path))
        console_say(console, "opened %s", options->outputs[i].path);
    else
        console_say(console, "no browser found; open %s yourself", options->outputs[i].path);
}

static void print_version(void)
{
    char pcre2[64] = "";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    /* PCRE2's without its date. */
    printf("supprof " SUPPROF_VERSION " (%s%sPCRE2 %.*s, zlib %s, " SUPPROF_SYSTEM ")\n",
           commit,
           *commit != '\0' ? ", " : "",
           (int)strcspn(pcre2, " "),
           pcre2,
           zlibVersion());
}

static void print_help(const struct options *options, struct console *console)
{
    struct error err;
    if (options->wants_short_help)
        help_print_short(stdout);
    else if (options->wants_help)
        help_print(stdout);
    else
        print_version();
    /* What is longer than the buffer may have failed before. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    error_set(&err, "cannot write standard output: %s", strerror(errno));
    console_fail(console, FAILED, &err);
}

int main(int argc, char **argv)
{
    struct error err;
    struct console console = {0};
    process_set_up(&argc, &argv);
    SCOPED(options) options;
    bool is_read =
        command_line_read(&options, argc, argv, !terminal_of(FILE_STANDARD_INPUT).is_there, &err);
    console.shows_codes = options.shows_codes;
    options.show.commit = *commit != '\0' ? commit : NULL;
    if (!is_read) {
        console_fail(&console, USAGE, &err);
        fputs("Try 'supprof --help' for more information.\n", stderr);
    } else if (options.wants_help || options.wants_version) {
        print_help(&options, &console);
    } else if (options.speaks_mcp) {
        if (!mcp_serve(&err))
            console_fail(&console, FAILED, &err);
    } else {
        console.is_quiet = options.is_quiet;
        console.is_verbose = options.show.is_verbose;
        console.shows_progress =
            !options.is_quiet &&
            options_wants(options.progress, terminal_of(FILE_STANDARD_ERROR).has_color);
        run(&options, &console);
        if (options.opens && console.status == DONE)
            open_report(&options, &console);
    }
    if (process_is_alone() && !options.speaks_mcp) {
        fputs("Press any key to close this window.\n", stderr);
        terminal_wait_for_key();
    }
    return (int)console.status;
}
