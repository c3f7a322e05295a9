/*
 * parts LOG: how fast each part of the reading is by itself, on one core. The log
 * must fit into memory; the figures stand in src/read/log.h.
 */
#include "base/mem.h"
#include "read/grammar.h"
#include "read/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct memory {
    struct span left;
    size_t block_count;
    char blocks[2][READ_HEAD_BYTES + READ_BLOCK_BYTES + READ_TAIL_BYTES];
};

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool next_block(void *context, struct read_block *block, struct error *err)
{
    struct memory *memory = context;
    (void)err;
    size_t left = memory->left.length;
    block->at = memory->blocks[memory->block_count++ % 2] + READ_HEAD_BYTES;
    block->length = left < READ_BLOCK_BYTES ? left : READ_BLOCK_BYTES;
    if (block->length > 0)
        memcpy(block->at, memory->left.at, block->length);
    block->at[block->length] = '\n';
    memory->left.at += block->length;
    memory->left.length -= block->length;
    return true;
}

static struct span load(const char *path)
{
    char *text = NULL;
    size_t length = 0, capacity = 0, got;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    do {
        MEM_GROW(text, capacity, length + (1 << 20));
        got = fread(text + length, 1, capacity - length, file);
        length += got;
    } while (got > 0);
    fclose(file);
    return (struct span){text, length};
}

static void print_rate(const char *part, double seconds, size_t bytes, size_t count)
{
    printf("%-34s %6.2f GB/s  %7.0f ns a record\n", part, (double)bytes / seconds * 1e-9,
           seconds / (double)count * 1e9);
}

/* Goes from mark to line end; with `totals`, reads the end of each record as well. */
static size_t walk_records(struct grammar *grammar, struct span text, bool totals)
{
    size_t at, after, count = 0;
    for (size_t from = 0; grammar_find_keyword(grammar, text.at, text.length, from, true, &at,
                                               &after) != GRAMMAR_NOTHING;) {
        const char *feed = memchr(text.at + after, '\n', text.length - after);
        size_t end = feed == NULL ? text.length : (size_t)(feed - text.at);
        struct stack found;
        size_t stack_length;
        if (totals)
            grammar_totals(grammar, (struct span){text.at + after, end - after}, &stack_length,
                           &found);
        from = end;
        count++;
    }
    return count;
}

/* Every byte is looked at, as in a log that is not marked at all. */
static void search_unmarked(struct grammar *grammar, struct span text, size_t count)
{
    char *unmarked = mem_copy(text.at, text.length);
    for (char *at = unmarked; (at = memchr(at, ':', (size_t)(unmarked + text.length - at)));)
        *at = '.';
    size_t at, after;
    double start = now_seconds();
    grammar_find_keyword(grammar, unmarked, text.length, 0, true, &at, &after);
    print_rate("a search that finds no mark", now_seconds() - start, text.length, count);
    free(unmarked);
}

/* PCRE2 alone, frame by frame, without looking anything up. */
static void split_by_grammar(struct grammar *grammar, struct span text, size_t count)
{
    size_t at, after;
    double start = now_seconds();
    for (size_t from = 0; grammar_find_keyword(grammar, text.at, text.length, from, true, &at,
                                               &after) != GRAMMAR_NOTHING;) {
        const char *feed = memchr(text.at + after, '\n', text.length - after);
        size_t end = feed == NULL ? text.length : (size_t)(feed - text.at);
        struct stack found;
        struct grammar_frame frame;
        struct span stack = {text.at + after, 0};
        from = end;
        if (!grammar_totals(grammar, (struct span){stack.at, end - after}, &stack.length, &found))
            continue;
        size_t work_left = grammar_work(stack);
        for (size_t frame_at = 0; frame_at <= stack.length; frame_at = frame.end + 1)
            if (!grammar_frame(grammar, stack, frame_at, &work_left, &frame))
                break;
    }
    print_rate("all of it by the grammar", now_seconds() - start, text.length, count);
}

static void read_log(struct grammar *grammar, struct span text, size_t count)
{
    struct symbols symbols = {0};
    struct frames frames = {.symbols = &symbols};
    struct memory *memory = mem_zeroed(1, sizeof *memory);
    memory->left = text;
    struct log log;
    struct log_source source = {.next = next_block, .context = memory};
    log_init(&log, source, grammar, &frames);
    struct record record;
    struct error err;
    double start = now_seconds();
    while (log_next(&log, &record, &err) != LOG_END)
        ;
    print_rate("the log reader", now_seconds() - start, text.length, count);
    log_release(&log);
    free(memory);
    frames_release(&frames);
    symbols_release(&symbols);
}

int main(int argc, char **argv)
{
    struct error err;
    struct grammar *grammar = grammar_new(&err);
    if (argc != 2 || grammar == NULL) {
        fputs("usage: parts LOG\n", stderr);
        return EXIT_FAILURE;
    }
    struct span text = load(argv[1]);
    walk_records(grammar, text, false); /* warms the caches */
    double start = now_seconds();
    size_t count = walk_records(grammar, text, false);
    print_rate("marks and line ends", now_seconds() - start, text.length, count);
    start = now_seconds();
    walk_records(grammar, text, true);
    print_rate("marks, line ends and record ends", now_seconds() - start, text.length, count);
    search_unmarked(grammar, text, count);
    split_by_grammar(grammar, text, count);
    read_log(grammar, text, count);
    grammar_free(grammar);
    free((void *)(uintptr_t)text.at);
    return EXIT_SUCCESS;
}
