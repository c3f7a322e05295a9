#include "cli/command_line.h"

#include "base/mem.h"
#include "base/wildcard.h"
#include "cli/combinations.h"
#include "cli/opening.h"
#include "cli/option_names.h"
#include "cli/option_rows.h"
#include "cli/option_values.h"
#include "cli/outputs.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* getopt_long() returns this plus the row's index for a long option. */
enum { FIRST_CODE = 256 };

/* The arguments of getopt_long(). */
struct getopt_table {
    struct option options[OPTION_ROWS_MAX + 1];
    char letters[2 * OPTION_ROWS_MAX + 1];
};

static bool is_optional(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] == '[';
}

static void fill_getopt(struct getopt_table *table)
{
    size_t length = 0;
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        table->options[i] = (struct option){
            .name = row->name,
            .has_arg = is_optional(row)        ? optional_argument
                       : row->argument != NULL ? required_argument
                                               : no_argument,
            .val = FIRST_CODE + (int)i,
        };
        if (row->letter == '\0')
            continue;
        table->letters[length++] = row->letter;
        if (row->argument != NULL)
            table->letters[length++] = ':';
    }
    table->letters[length] = '\0';
    table->options[option_row_count] = (struct option){0};
}

/* Returns the index of the row, or option_row_count. */
static size_t find_row(int code)
{
    size_t index = 0;
    while (index < option_row_count && code != FIRST_CODE + (int)index &&
           (code == 0 || code != option_rows[index].letter))
        index++;
    return index;
}

static bool apply_row(struct options *options, const struct option_row *row, const char *argument,
                      struct error *err)
{
    if (row->apply != NULL)
        return row->apply(options, argument, err);
    char *member = (char *)options + row->offset;
    if (row->words != NULL) {
        int value = 0;
        if (!option_words_find(row->words, row->name, argument, &value, err))
            return false;
        memcpy(member, &value, sizeof value);
        return true;
    }
    bool is_set = true;
    memcpy(member, &is_set, sizeof is_set);
    return true;
}

/* Sets the error for the word that getopt_long() refused. */
static bool refuse(int argc, char **argv, struct error *err)
{
    size_t index = optopt != 0 ? find_row(optopt) : option_row_count;
    const struct option_row *row = &option_rows[index];
    if (index < option_row_count && row->argument != NULL)
        return error_set(err, "--%s needs a value: --%s=%s", row->name, row->name, row->argument);
    if (index < option_row_count)
        return error_set(err, "--%s takes no value", row->name);
    /* Of "-tick", getopt_long() refuses the first letter that is no option. */
    const char *word = optind > 0 && optind < argc ? argv[optind] : "";
    if (optopt != 0 && word[0] == '-' && strlen(word) > 2)
        return option_names_refuse(word, err);
    if (optopt != 0)
        return error_set(err, "unknown option '-%c'", optopt);
    return option_names_refuse(optind > 0 && optind <= argc ? argv[optind - 1] : "", err);
}

/* Reads all options; `is_given` is [option_row_count]. */
static bool read_options(struct options *options, int argc, char **argv, bool *is_given,
                         struct error *err)
{
    struct getopt_table table;
    fill_getopt(&table);
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1;) {
        size_t index = find_row(code);
        if (index == option_row_count)
            return refuse(argc, argv, err);
        const struct option_row *row = &option_rows[index];
        /* As in "--ticks 5 log": a log named 5 can be written ./5. */
        bool has_word = is_optional(row) && optarg == NULL && optind < argc &&
                        argv[optind][0] != '\0' &&
                        argv[optind][strspn(argv[optind], "0123456789")] == '\0';
        if (!apply_row(options, row, has_word ? argv[optind++] : optarg, err))
            return false;
        is_given[index] = true;
    }
    return true;
}

static size_t count_standard_input(const struct options *options)
{
    const struct filters *filters = &options->selection.filters;
    size_t count = 0;
    for (size_t i = 0; i < options->log_count; i++)
        count += strcmp(options->logs[i], "-") == 0;
    for (size_t i = 0; i < options->old_log_count; i++)
        count += strcmp(options->old_logs[i], "-") == 0;
    for (size_t i = 0; i < filters->count; i++)
        count += filters->all[i].file != NULL && strcmp(filters->all[i].file, "-") == 0 &&
                 (i == 0 || filters->all[i - 1].file != filters->all[i].file);
    return count;
}

/* Replaces names with wildcards by the files that match; some shells do not do this. */
static void find_logs(struct options *options)
{
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < options->log_count; i++) {
        const char *log = options->logs[i];
        size_t found_count = 0;
        const char **found =
            wildcard_is(log) ? wildcard_find(log, &options->names, &found_count) : NULL;
        options->found_logs = mem_grow(options->found_logs, &capacity, count + found_count + 1,
                                       sizeof *options->found_logs);
        for (size_t k = 0; k < found_count; k++)
            options->found_logs[count++] = found[k];
        /* A name without a match stays, and is a file that cannot be opened. */
        if (found_count == 0)
            options->found_logs[count++] = log;
        free(found);
    }
    options->logs = options->found_logs;
    options->log_count = count;
}

bool command_line_read(struct options *options, int argc, char **argv, bool has_piped_input,
                       struct error *err)
{
    static const char *const only_standard_input[] = {"-"};
    bool is_given[OPTION_ROWS_MAX] = {false};
    *options = (struct options){.row_limit = DEFAULT_ROW_COUNT,
                                .tick_limit = DEFAULT_TICK_COUNT,
                                .max_bytes = DEFAULT_PAGE_BYTES};
    if (!read_options(options, argc, argv, is_given, err))
        return false;
    options->logs = (const char *const *)argv + optind;
    options->log_count = (size_t)(argc - optind);
    find_logs(options);
    if (options->wants_help || options->wants_version)
        return true;
    if (options->opens && !opening_settle(options, err))
        return false;
    if (options->log_count == 0) {
        if (!has_piped_input && options->old_log_count > 0)
            return error_set(err, "--diff takes '%s' as the old log; name the new one, too",
                             options->old_logs[0]);
        if (!has_piped_input && options->peek != NULL)
            return error_set(err, "--peek takes '%.*s' as the pattern; name the log, too",
                             (int)pattern_text(options->peek).length,
                             pattern_text(options->peek).at);
        if (!has_piped_input)
            return error_set(err, "no log is named; name one, or let --open take the "
                                  "newest log of the game");
        options->logs = only_standard_input;
        options->log_count = 1;
    }
    if (count_standard_input(options) > 1)
        return error_set(err, "standard input is named twice, and can be read once");
    return outputs_settle(options, err) && combinations_check(options, is_given, err);
}
