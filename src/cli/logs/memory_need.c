#include "cli/logs/memory_need.h"

#include "base/gzip.h"
#include "base/input.h"
#include "platform/process.h"
#include "report/sentences/amounts.h"

#include <string.h>

/* How much smaller gzip makes recordings: real ones 5 to 24 times. */
static const double PACKED_RATIO = 10;

/*
 * Bytes of memory for a byte of a log, and what needs less. Measured on 20 to 170 MB of a recording
 * of M28AI; one of four of the game's own AIs needs a fifth of that.
 */
struct need_kind {
    double memory_for_byte;
    const char *advice;
};

static const struct need_kind
    of_sums = {0.5, "--run takes less, if there are several recordings"},
    of_ticks = {1.2, "-f csv, without other options, takes less than half of that"},
    of_changes = {3,
                  "With --from and --to, it takes less than half of that; -f csv, without other "
                  "options, a sixth"},
    of_totals = {3, "-f csv, without other options, takes a sixth of that"},
    of_both_sides = {3, "With --from and --to, it takes less than half of that"};

static const struct need_kind *kind_of(const struct options *options)
{
    const struct rebuild_settings *rebuild = &options->reading.rebuild;
    if (rebuild->keeps_changes)
        return options->old_logs.count > 0 ? &of_both_sides
               : options->changes_totals   ? &of_totals
                                           : &of_changes;
    return rebuild->needs == NEEDS_WHOLE ? &of_sums : &of_ticks;
}

static struct amount gigabytes(double bytes)
{
    return amount_make("%.1f GB", bytes / 0x1p30);
}

static bool is_much(const struct memory_need *need, double memory_for_byte)
{
    return need->computer_bytes > 0 && need->log_bytes * memory_for_byte > need->computer_bytes / 2;
}

void memory_need_put(struct text *text, const struct memory_need *need,
                     const struct options *options)
{
    const struct need_kind *kind = kind_of(options);
    bool is_one = options->logs.count + options->old_logs.count == 1;
    if (!is_much(need, kind->memory_for_byte))
        return;
    text_printf(text,
                "%s %s%s: for recordings of that size, this report can take %s of memory, and this "
                "computer has %s. %s",
                is_one ? "the log has" : "the logs have",
                gigabytes(need->log_bytes).at,
                need->is_packed ? " (if unpacked bytes are ten times the compressed ones)" : "",
                gigabytes(need->log_bytes * kind->memory_for_byte).at,
                gigabytes(need->computer_bytes).at,
                kind->advice);
}

/* Returns the size of a log as it is stored; 0: it is no file. */
static double stored_bytes(const char *log)
{
    struct file_status status;
    bool is_file =
        !file_is_standard(log) && file_status(&status, log) && status.kind == FILE_REGULAR;
    return is_file ? (double)status.byte_count : 0;
}

/* What it stores tells whether a log is compressed, and not its name. */
static bool is_packed(const char *log)
{
    struct input input;
    struct error err;
    if (!input_open(&input, log, FILE_DOES_NOT_WAIT, &err))
        return false;
    bool is_packed = gzip_is_compressed(input.gzip);
    input_close(&input);
    return is_packed;
}

static void add_logs(struct memory_need *need, const struct name_list *logs)
{
    for (size_t i = 0; i < logs->count; i++) {
        double bytes = stored_bytes(logs->all[i]);
        /* Few files are so large that it matters what is in them: others are not opened here. */
        struct memory_need most = {.log_bytes = bytes * PACKED_RATIO * (double)logs->count,
                                   .computer_bytes = need->computer_bytes};
        bool can_be_packed = is_much(&most, of_changes.memory_for_byte) && is_packed(logs->all[i]);
        need->is_packed |= can_be_packed;
        need->log_bytes += can_be_packed ? bytes * PACKED_RATIO : bytes;
    }
}

void memory_need_say(const struct options *options, struct console *console)
{
    struct memory_need need = {.computer_bytes = (double)process_memory_bytes()};
    struct text text = {0};
    add_logs(&need, &options->logs);
    add_logs(&need, &options->old_logs);
    memory_need_put(&text, &need, options);
    if (text.length > 0)
        console_say_text(console, "memory", &text);
}
