#include "read/frames.h"

#include "base/input.h"
#include "platform/wide.h"

enum { KNOWN_SEARCHED = 16, HASHED_BYTES = 16, HASHED_MIN = HASHED_BYTES / 2, WIDE_BYTES = 32 };

_Static_assert((int)ARENA_TAIL_BYTES >= (int)WIDE_BYTES, "starts are compared in whole blocks");
_Static_assert((int)READ_TAIL_BYTES > (int)FRAMES_COMMON_MAX,
               "the common start is compared at a line's end");

/* A text that may be a frame. */
struct piece {
    const char *text;
    size_t length;
    size_t skipped; /* bytes of the common start that it begins with: all or none */
    size_t slot;    /* where a search of the known frames begins */
};

/*
 * The end of a frame has its lines and its name, and so tells it from nearly all others: to hash
 * its path, too, would take longer than all the rest of a search.
 */
static inline size_t slot_of(const struct frames *frames, const char *text, size_t length)
{
    uint64_t first, last;
    memcpy(&first, text + (length < HASHED_BYTES ? 0 : length - HASHED_BYTES), sizeof first);
    memcpy(&last, text + length - sizeof last, sizeof last);
    uint64_t mixed = (first * 0x9e3779b97f4a7c15u ^ last) + length;
    /* The last bytes are the highest bits: they must become part of the low ones, too. */
    mixed ^= mixed >> 32;
    return (size_t)((mixed * 0xd6e8feb86659fd93u) >> 32) & frames->known_mask;
}

/* Reads the text up to the next ';' or line feed: no step but the last depends on its length. */
static inline struct piece read_piece(const struct frames *frames, const char *text)
{
    uint32_t different = 0, ends;
    for (size_t i = 0; i < frames->common_length; i += WIDE_BYTES)
        different |= wide_find_different(text + i, frames->common + i);
    size_t skipped = different == 0 ? frames->common_length : 0;
    const char *at = text + skipped;
    while ((ends = wide_find_either(at, ';', '\n')) == 0)
        at += WIDE_BYTES;
    size_t length = (size_t)(at - text) + (size_t)__builtin_ctz(ends);
    return (struct piece){text, length, skipped, 0};
}

/* Whether two texts of the same length are the same; WIDE_BYTES after both may be read. */
static inline bool is_same(const char *a, const char *b, size_t length)
{
    uint32_t different = 0;
    for (; length >= WIDE_BYTES; length -= WIDE_BYTES, a += WIDE_BYTES, b += WIDE_BYTES)
        different |= wide_find_different(a, b);
    return (different | (wide_find_different(a, b) & (((uint32_t)1 << length) - 1))) == 0;
}

static inline uint32_t find_known(const struct frames *frames, const struct piece *piece)
{
    const char *start = piece->text + piece->skipped;
    for (size_t i = 0; i < KNOWN_SEARCHED; i++) {
        const struct known_frame *known = &frames->known[(piece->slot + i) & frames->known_mask];
        if (known->length == 0)
            break;
        if (known->length == piece->length && known->skipped == piece->skipped &&
            is_same(known->end, start + known->start_length, known->end_length) &&
            is_same(known->start, start, known->start_length))
            return known->id;
    }
    return INTERN_NONE;
}

/*
 * Before any frame of the row is compared, all are asked for, so that the processor waits for
 * memory once for a row, and not for each frame.
 */
bool frames_find_row(const struct frames *frames, const char *text, struct frame_row *row)
{
    struct piece pieces[FRAMES_ROW_MAX];
    size_t count = 0;
    *row = (struct frame_row){.next = text};
    for (; count < FRAMES_ROW_MAX; count++) {
        struct piece piece = read_piece(frames, row->next);
        row->is_last = row->next[piece.length] == '\n';
        if (row->is_last)
            break;
        if (piece.length < HASHED_MIN)
            return false;
        piece.slot = slot_of(frames, piece.text, piece.length);
        __builtin_prefetch(&frames->known[piece.slot]);
        pieces[count] = piece;
        row->next += piece.length + 1;
    }
    for (; row->count < count; row->count++) {
        row->ids[row->count] = find_known(frames, &pieces[row->count]);
        if (row->ids[row->count] == INTERN_NONE)
            return false;
    }
    return true;
}

uint32_t frames_find(const struct frames *frames, const char *text, size_t length)
{
    uint32_t id = intern_find(&frames->texts, text, length);
    return id != INTERN_NONE && frames->frames[id].is_context_free ? id : INTERN_NONE;
}

/* Whether a start of a frame has the common start so far, and then block `number` of it, too. */
static bool has_common(const struct frames *frames, struct span start, size_t number)
{
    size_t from = number * WIDE_BYTES;
    return start.length >= from + WIDE_BYTES && memcmp(start.at, frames->common, from) == 0 &&
           memchr(start.at + from, ';', WIDE_BYTES) == NULL;
}

/*
 * Sets one more block of the common start to that which at least half of the starts have; fails if
 * there is none. The first loop finds the only candidate (Boyer and Moore's majority vote): blocks
 * that differ cancel each other. The second counts it.
 */
static bool find_common_block(struct frames *frames, size_t number)
{
    char *block = frames->common + number * WIDE_BYTES;
    size_t left = 0, with_block = 0;
    for (uint32_t i = 0; i < frames->starts.count; i++) {
        struct span start = intern_get(&frames->starts, i);
        if (!has_common(frames, start, number))
            continue;
        const char *own = start.at + number * WIDE_BYTES;
        if (left == 0)
            memcpy(block, own, WIDE_BYTES);
        left = memcmp(block, own, WIDE_BYTES) == 0 ? left + 1 : left - 1;
    }
    for (uint32_t i = 0; i < frames->starts.count && left > 0; i++) {
        struct span start = intern_get(&frames->starts, i);
        with_block += has_common(frames, start, number) &&
                      memcmp(block, start.at + number * WIDE_BYTES, WIDE_BYTES) == 0;
    }
    return 2 * with_block >= frames->starts.count && left > 0;
}

/* Puts a context-free frame where frames_find_row() finds it, if there is room. */
static void put_known(struct frames *frames, uint32_t id)
{
    struct span text = intern_get(&frames->texts, id);
    struct span start = intern_get(&frames->starts, frames->frames[id].start);
    size_t common = frames->common_length, end_length = text.length - start.length;
    size_t skipped =
        start.length >= common && memcmp(start.at, frames->common, common) == 0 ? common : 0;
    if (!frames->frames[id].is_context_free || text.length < start.length ||
        memcmp(text.at, start.at, start.length) != 0 || text.length < HASHED_MIN ||
        text.length > UINT32_MAX || end_length > FRAME_END_BYTES)
        return;
    size_t slot = slot_of(frames, text.at, text.length);
    for (size_t i = 0; i < KNOWN_SEARCHED; i++) {
        struct known_frame *known = &frames->known[(slot + i) & frames->known_mask];
        if (known->length > 0)
            continue;
        *known = (struct known_frame){.start = start.at + skipped,
                                      .start_length = (uint32_t)(start.length - skipped),
                                      .length = (uint32_t)text.length,
                                      .id = id,
                                      .skipped = (uint8_t)skipped,
                                      .end_length = (uint8_t)end_length};
        memcpy(known->end, text.at + start.length, end_length);
        return;
    }
}

/* Puts the last frame where rows find it. A table that is too small becomes twice as large. */
static void put_last_known(struct frames *frames)
{
    enum { FIRST_SLOTS = 64, SLOTS_A_FRAME = 2 };
    size_t count = frames->texts.count;
    if (frames->known != NULL && count * SLOTS_A_FRAME <= frames->known_mask) {
        put_known(frames, (uint32_t)(count - 1));
        return;
    }
    size_t slots = frames->known == NULL ? FIRST_SLOTS : 2 * (frames->known_mask + 1);
    free(frames->known);
    /* One more than is used: ends are compared in whole blocks. */
    frames->known = mem_zeroed(slots + 1, sizeof *frames->known);
    frames->known_mask = slots - 1;
    size_t blocks = 0;
    while (blocks < FRAMES_COMMON_MAX / WIDE_BYTES && find_common_block(frames, blocks))
        blocks++;
    frames->common_length = blocks * WIDE_BYTES;
    for (uint32_t id = 0; id < count; id++)
        put_known(frames, id);
}

/*
 * Delins' profiler marks a tail call by negating the caller's current line. That line is -1 if the
 * caller has made no call before; negated it becomes 1, a line above the function's own first line.
 * If there is no frame left to mark, it stays -1.
 */
static int32_t call_line(const struct grammar_frame *parsed)
{
    if (parsed->line_defined < 0)
        return LINE_UNKNOWN;
    if (parsed->current_line == 0)
        return LINE_UNKNOWN;
    if (parsed->current_line == 1 && parsed->line_defined > 1)
        return LINE_TAIL_CALL;
    return parsed->current_line;
}

static void count_semicolons(struct frames *frames, struct span text)
{
    size_t count = 0;
    for (size_t length = text.length; text.length > 0; length = text.length)
        count += span_take(&text, ';').length < length;
    frames->semicolon_max = count > frames->semicolon_max ? count : frames->semicolon_max;
}

uint32_t frames_add(struct frames *frames, const char *text, size_t length,
                    const struct grammar_frame *parsed)
{
    uint32_t id;
    if (!intern_is_new(&frames->texts, (struct span){text, length}, &id))
        return id;

    struct intern *strings = &frames->symbols->strings;
    uint32_t source = symbols_add_source(frames->symbols, parsed->source);
    uint32_t name = intern_add_span(strings, parsed->name);
    MEM_GROW(frames->frames, frames->frame_capacity, frames->texts.count);
    frames->frames[id] =
        (struct record_frame){.name = name,
                              .start = intern_add_span(&frames->starts, parsed->source),
                              .is_context_free = parsed->is_context_free};
    MEM_GROW(frames->in_stacks, frames->in_stacks_capacity, frames->texts.count);
    frames->in_stacks[id] = (struct stack_frame){
        .function = symbols_add_function(frames->symbols, source, parsed->line_defined, name),
        .call_line = call_line(parsed),
    };
    MEM_GROW_ZEROED(frames->is_used, frames->is_used_capacity, frames->texts.count);
    if (parsed->is_context_free)
        count_semicolons(frames, (struct span){text, length});
    put_last_known(frames);
    return id;
}

/* The name of a frame of another table, as a string id of this one. */
static uint32_t join_name(struct frames *frames, const struct frames *later, uint32_t frame)
{
    return intern_add_span(&frames->symbols->strings,
                           intern_get(&later->symbols->strings, later->frames[frame].name));
}

static bool is_alike(struct frames *frames, uint32_t id, const struct frames *later, uint32_t frame,
                     const uint32_t *functions)
{
    const struct stack_frame *known = &frames->in_stacks[id], *added = &later->in_stacks[frame];
    return known->function == functions[added->function] && known->call_line == added->call_line &&
           frames->frames[id].name == join_name(frames, later, frame) &&
           frames->frames[id].is_context_free == later->frames[frame].is_context_free;
}

bool frames_are_alike(struct frames *frames, const struct frames *later, const uint32_t *functions)
{
    for (uint32_t i = 0; i < later->texts.count; i++) {
        struct span text = intern_get(&later->texts, i);
        uint32_t id = intern_find(&frames->texts, text.at, text.length);
        if (id != INTERN_NONE && !is_alike(frames, id, later, i, functions))
            return false;
    }
    return true;
}

void frames_join(struct frames *frames, const struct frames *later, const uint32_t *functions)
{
    if (later->semicolon_max > frames->semicolon_max)
        frames->semicolon_max = later->semicolon_max;
    for (uint32_t i = 0; i < later->texts.count; i++) {
        const struct record_frame *added = &later->frames[i];
        uint32_t id;
        if (intern_is_new(&frames->texts, intern_get(&later->texts, i), &id)) {
            MEM_GROW(frames->frames, frames->frame_capacity, frames->texts.count);
            MEM_GROW(frames->in_stacks, frames->in_stacks_capacity, frames->texts.count);
            MEM_GROW_ZEROED(frames->is_used, frames->is_used_capacity, frames->texts.count);
            struct span start = intern_get(&later->starts, added->start);
            frames->frames[id] =
                (struct record_frame){.name = join_name(frames, later, i),
                                      .start = intern_add_span(&frames->starts, start),
                                      .is_context_free = added->is_context_free};
            frames->in_stacks[id] =
                (struct stack_frame){.function = functions[later->in_stacks[i].function],
                                     .call_line = later->in_stacks[i].call_line};
            put_last_known(frames);
        }
        frames->frames[id].calls += added->calls;
        frames->is_used[id] |= later->is_used[i];
    }
}

void frames_name_functions(struct frames *frames)
{
    struct symbols *symbols = frames->symbols;
    for (size_t i = 0; i < frames->texts.count; i++) {
        const struct record_frame *frame = &frames->frames[i];
        if (!frames->is_used[i])
            continue;
        uint32_t function = frames->in_stacks[i].function;
        symbols->functions[function].is_used = true;
        symbols_add_name(symbols, function, frame->name, frame->calls);
    }
}

void frames_release(struct frames *frames)
{
    intern_release(&frames->texts);
    intern_release(&frames->starts);
    MEM_FREE(frames->frames, frames->in_stacks, frames->is_used, frames->known);
    *frames = (struct frames){0};
}
