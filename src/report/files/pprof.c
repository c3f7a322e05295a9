/*
 * pprof's profile.proto (github.com/google/pprof, proto/profile.proto), for
 * `go tool pprof` and speedscope: gzipped, or as it is.
 *
 * A sample is a call stack with its own time or calls, leaf first. A frame of it is a
 * location, that is a function and a line: the line of the call to the next frame, and
 * for the leaf the line where the function is defined. pprof merges functions with the
 * same name, so names contain the file, and where that is not enough the line (see
 * labels.h). They get no system names: if a name equals its system name, pprof treats it
 * as mangled C++ and removes '(...)' and '<...>' from it.
 *
 * The message is written field by field (developers.google.com/protocol-buffers,
 * "Encoding"): a field is a key, which is its number and its type, and then a number of 7
 * bits a byte, least significant first, or a length and so many bytes. Strings stand in a
 * table and are referred to by their index; 0 is the empty string.
 */
#include "base/mem.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "select/viewer_tree.h"
#include "tree/stacks.h"

#include <zlib.h>

enum wire_type { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

/* The fields of the messages, as profile.proto numbers them. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_DURATION = 10,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
};
enum { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2 };
enum { MAPPING_ID = 1, MAPPING_FILE = 5 };
enum { MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES = 8, MAPPING_HAS_LINES = 9 };
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

enum { VALUE_COUNT_MAX = 4, THREAD_KINDS = (NODE_MAIN | NODE_COROUTINE) + 1 };

struct location {
    uint32_t function;
    int32_t line;
};

struct pprof {
    const struct report *report;
    struct viewer_tree viewer;
    struct text message; /* buffer of bytes that are not written yet */
    struct intern strings;
    struct intern locations; /* of struct location; ids in the file are these + 1 */
    uint8_t *is_used;        /* [functions] */
    /* Ids of locations, found when first needed; 0 before that. */
    uint32_t *calling; /* [node_count]: the line of the caller that calls this node */
    uint32_t *called;  /* [functions]: the line of the definition */
    struct text threads[THREAD_KINDS]; /* labels by flags, made when first needed */
    enum report_metric values[VALUE_COUNT_MAX];
    size_t value_count;
    struct output *out;
    z_stream *zip;
};

static void put_number(struct text *text, uint64_t number)
{
    char bytes[10];
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        bytes[length++] = (char)(number | 0x80);
    bytes[length++] = (char)number;
    text_put(text, bytes, length);
}

/* A field that is 0 is left out, as in protobuf. */
static void put_field(struct text *text, uint32_t field, uint64_t number)
{
    if (number == 0)
        return;
    put_number(text, field << 3 | WIRE_NUMBER);
    put_number(text, number);
}

static void put_bytes(struct text *text, uint32_t field, struct span bytes)
{
    put_number(text, field << 3 | WIRE_BYTES);
    put_number(text, bytes.length);
    text_put_span(text, bytes);
}

static uint64_t string_index(struct pprof *pprof, struct span string)
{
    return intern_add_span(&pprof->strings, string);
}

/* Compresses and writes the buffer; `is_last` ends the stream. */
static void flush(struct pprof *pprof, bool is_last)
{
    unsigned char block[16384];
    struct span span = text_span(&pprof->message);
    /* zlib does not change what it reads. */
    pprof->zip->next_in = (unsigned char *)(uintptr_t)span.at;
    pprof->zip->avail_in = (unsigned)span.length;
    int result;
    do {
        pprof->zip->next_out = block;
        pprof->zip->avail_out = sizeof block;
        result = deflate(pprof->zip, is_last ? Z_FINISH : Z_NO_FLUSH);
        output_put(pprof->out, (const char *)block, sizeof block - pprof->zip->avail_out);
    } while (is_last ? result != Z_STREAM_END : pprof->zip->avail_in > 0);
    text_cut(&pprof->message, 0);
}

static void put_message(struct pprof *pprof, uint32_t field, struct text *part)
{
    enum { BLOCK_BYTES = 1 << 16 };
    put_bytes(&pprof->message, field, text_span(part));
    text_cut(part, 0);
    if (pprof->message.length >= BLOCK_BYTES)
        flush(pprof, false);
}

/* Puts the kinds of values that the profile has, and the one that is shown first. */
static void put_value_types(struct pprof *pprof)
{
    static const struct {
        enum report_metric metric;
        const char *type, *unit;
    } known[] = {{METRIC_CALLS, "calls", "count"},
                 {METRIC_TIME, "time", "nanoseconds"},
                 {METRIC_ERRORS, "errors", "count"},
                 {METRIC_ALLOC, "alloc_space", "bytes"}};
    SCOPED(text) part = {0};
    uint64_t shown_first = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        enum report_metric metric = known[i].metric;
        if ((metric == METRIC_ERRORS && pprof->viewer.tree.details == NULL) ||
            (metric == METRIC_ALLOC && !pprof->report->profile->has_memory))
            continue;
        uint64_t type = string_index(pprof, span_of(known[i].type));
        if (metric == pprof->report->show.metric)
            shown_first = type;
        pprof->values[pprof->value_count++] = metric;
        put_field(&part, VALUE_TYPE, type);
        put_field(&part, VALUE_UNIT, string_index(pprof, span_of(known[i].unit)));
        put_message(pprof, PROFILE_SAMPLE_TYPE, &part);
    }
    put_field(&pprof->message, PROFILE_DEFAULT_SAMPLE_TYPE, shown_first);
}

static uint32_t location_id(struct pprof *pprof, uint32_t function, int32_t line)
{
    struct location location;
    memset(&location, 0, sizeof location);
    location.function = function;
    location.line = line_number(line);
    if (location.line == 0)
        location.line = symbols_line(&pprof->report->profile->symbols, function);
    pprof->is_used[function] = 1;
    return 1 + intern_add(&pprof->locations, (const char *)&location, sizeof location);
}

/* Appends the locations of a stack, leaf first. */
static void put_locations_of(struct pprof *pprof, struct text *text, uint32_t node)
{
    const struct tree *tree = &pprof->viewer.tree;
    uint32_t function = tree->calls[node].function;
    if (pprof->called[function] == 0)
        pprof->called[function] = location_id(pprof, function, LINE_UNKNOWN);
    put_number(text, pprof->called[function]);
    for (uint32_t parent; (parent = tree->calls[node].parent) != TREE_ROOT; node = parent) {
        if (pprof->calling[node] == 0)
            pprof->calling[node] =
                location_id(pprof, tree->calls[parent].function, tree->calls[node].line);
        put_number(text, pprof->calling[node]);
    }
}

static void put_thread(struct pprof *pprof, struct text *sample, uint8_t flags)
{
    uint8_t threads = flags & (NODE_MAIN | NODE_COROUTINE);
    if (threads == 0)
        return;
    struct text *label = &pprof->threads[threads];
    if (label->length == 0) {
        put_field(label, LABEL_KEY, string_index(pprof, span_of("thread")));
        put_field(label, LABEL_STRING, string_index(pprof, span_of(threads_name(flags))));
    }
    put_bytes(sample, SAMPLE_LABEL, text_span(label));
}

static void put_sample(struct pprof *pprof, struct text *sample, struct text *part, uint32_t node)
{
    const struct tree *tree = &pprof->viewer.tree;
    uint64_t any = 0;
    for (size_t i = 0; i < pprof->value_count; i++)
        any |= report_viewer_value(tree, node, pprof->values[i]);
    if (any == 0)
        return;
    text_cut(part, 0);
    put_locations_of(pprof, part, node);
    put_bytes(sample, SAMPLE_LOCATION, text_span(part));
    text_cut(part, 0);
    for (size_t i = 0; i < pprof->value_count; i++)
        put_number(part, report_viewer_value(tree, node, pprof->values[i]));
    put_bytes(sample, SAMPLE_VALUE, text_span(part));
    put_thread(pprof, sample, tree->flags[node]);
    put_message(pprof, PROFILE_SAMPLE, sample);
}

static void put_samples(struct pprof *pprof)
{
    SCOPED(text) sample = {0}, part = {0};
    uint32_t count = pprof->viewer.tree.node_count;
    for (uint32_t node = 1; node < count && !output_has_failed(pprof->out); node++)
        put_sample(pprof, &sample, &part, node);
}

/*
 * The program that contains all locations. Without one that has all names, pprof says that
 * it cannot find the program; with different ones it would not compare two profiles.
 */
static void put_mapping(struct pprof *pprof)
{
    SCOPED(text) mapping = {0};
    put_field(&mapping, MAPPING_ID, 1);
    put_field(&mapping, MAPPING_FILE, string_index(pprof, span_of("Lua")));
    put_field(&mapping, MAPPING_HAS_FUNCTIONS, true);
    put_field(&mapping, MAPPING_HAS_FILES, true);
    put_field(&mapping, MAPPING_HAS_LINES, true);
    put_message(pprof, PROFILE_MAPPING, &mapping);
}

static void put_locations(struct pprof *pprof)
{
    SCOPED(text) location = {0}, line = {0};
    for (uint32_t i = 0; i < pprof->locations.count; i++) {
        struct location known;
        memcpy(&known, intern_get(&pprof->locations, i).at, sizeof known);
        put_field(&line, LINE_FUNCTION, (uint64_t)known.function + 1);
        put_field(&line, LINE_LINE, (uint64_t)known.line);
        put_field(&location, LOCATION_ID, (uint64_t)i + 1);
        put_field(&location, LOCATION_MAPPING, 1);
        put_bytes(&location, LOCATION_LINE, text_span(&line));
        text_cut(&line, 0);
        put_message(pprof, PROFILE_LOCATION, &location);
    }
}

static void put_functions(struct pprof *pprof)
{
    const struct symbols *symbols = &pprof->report->profile->symbols;
    SCOPED_ARRAY struct span *lasting = labels_find_lasting(pprof->report->labels, symbols);
    SCOPED(text) function = {0};
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        if (!pprof->is_used[i])
            continue;
        put_field(&function, FUNCTION_ID, (uint64_t)i + 1);
        put_field(&function, FUNCTION_NAME, string_index(pprof, lasting[i]));
        put_field(&function, FUNCTION_FILE, string_index(pprof, report_path(pprof->report, i)));
        put_field(&function, FUNCTION_LINE, (uint64_t)symbols_line(symbols, i));
        put_message(pprof, PROFILE_FUNCTION, &function);
    }
}

static struct report_result write_profile(const struct report *report, struct output *out,
                                          z_stream *zip)
{
    struct pprof pprof = {.report = report, .out = out, .zip = zip};
    uint32_t function_count = report->profile->symbols.function_count;
    viewer_tree_init(&pprof.viewer, report->tree, report->labels);
    pprof.is_used = mem_zeroed(function_count, 1);
    pprof.called = mem_zeroed(function_count, sizeof *pprof.called);
    pprof.calling = mem_zeroed(pprof.viewer.tree.node_count, sizeof *pprof.calling);
    string_index(&pprof, span_of(""));
    put_value_types(&pprof);
    put_samples(&pprof);
    put_mapping(&pprof);
    put_locations(&pprof);
    put_functions(&pprof);
    double real_ns = report_real_time_ns(report, false);
    if (real_ns >= 0)
        put_field(&pprof.message, PROFILE_DURATION, (uint64_t)real_ns);
    for (uint32_t i = 0; i < pprof.strings.count; i++)
        put_bytes(&pprof.message, PROFILE_STRING, intern_get(&pprof.strings, i));
    flush(&pprof, true);
    struct report_result result = report_viewer_result(report, &pprof.viewer);
    viewer_tree_release(&pprof.viewer);
    intern_release(&pprof.strings);
    intern_release(&pprof.locations);
    text_release(&pprof.message);
    for (size_t i = 0; i < THREAD_KINDS; i++)
        text_release(&pprof.threads[i]);
    MEM_FREE(pprof.is_used, pprof.called, pprof.calling);
    return result;
}

static void *zip_allocate(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return mem_zeroed(count, size);
}

static void zip_free(void *unused, void *memory)
{
    (void)unused;
    free(memory);
}

static struct report_result write_pprof(const struct report *report, struct output *out)
{
    enum { WINDOW_BITS_GZIP = 15 + 16, MEMORY_LEVEL = 8, UNKNOWN_SYSTEM = 255 };
    z_stream zip = {.zalloc = zip_allocate, .zfree = zip_free};
    /*
     * It fails only without memory, and then the program has ended before. Go's own profiles are
     * compressed at this level, too: time counts for more than the size of the file.
     */
    deflateInit2(
        &zip, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS_GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    /* The same bytes on every system. */
    gz_header header = {.os = UNKNOWN_SYSTEM};
    deflateSetHeader(&zip, &header);
    struct report_result result = write_profile(report, out, &zip);
    deflateEnd(&zip);
    return result;
}

const struct report_format report_pprof = {
    .name = "pprof",
    .summary = "for go tool pprof and speedscope, gzipped",
    .uses = USES_METRIC | USES_PROFILE | USES_LINES | USES_SOURCES | SHOWS_SUMS,
    .suffixes = {".pb.gz", ".pb", NULL},
    .is_binary = true,
    .write = write_pprof,
};
