#include "rebuild/event_play.h"

#include "read/events.h"
#include "rebuild/event_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char names[FUNCTION_COUNT + 1] = "ABCnwKE";

static const struct site {
    char letter;
    struct event_site definition;
} site_list[] = {
    {'A', {A, NO_CALLER}}, {'R', {B, NO_CALLER}},
    {'S', {C, NO_CALLER}}, {'K', {CALIBRATE, NO_CALLER}},
    {'B', {B, 10}},        {'C', {C, 20}},
    {'N', {NEXT, 30}},     {'W', {WAIT, 40}},
    {'T', {B, NO_LINE}},   {'V', {C, NO_LINE}},
    {'L', {A, 50}},        {'U', {B, 11}},
    {'E', {EMPTY, 60}},
};
enum { SITE_COUNT = sizeof site_list / sizeof site_list[0], THREAD_COUNT = 5 };

void event_play_init(struct event_play *play)
{
    *play = (struct event_play){
        .settings = {.threads = NODE_MAIN | NODE_COROUTINE},
        .begin = {.unit_ns = 1,
                  .recorder = CALIBRATE,
                  .turn_ns = {-1, -1, -1},
                  .time_seconds = -1,
                  .tick = -1,
                  .has_resumes = true},
    };
}

void event_play_reset(struct event_play *play)
{
    rebuild_free(play->rebuild);
    play->rebuild = NULL;
}

void event_play_release(struct event_play *play)
{
    event_play_reset(play);
    free(play->events.at);
}

char event_play_name(uint32_t function)
{
    return names[function];
}

static void push_events(struct event_play *play)
{
    rebuild_add(play->rebuild, play->events.at, play->events.count);
    play->events.count = 0;
}

void event_play_define_function(struct event_play *play, uint32_t function)
{
    struct event_function definition = {.id = function,
                                        .is_lua = function != NEXT && function != WAIT,
                                        .calibrates = function == CALIBRATE,
                                        .suspends = function == WAIT};
    events_put(&play->events, event_make(EVENT_FUNCTION, function, 0));
    events_put_payload(&play->events, &definition, sizeof definition);
}

void event_play_define_site(struct event_play *play, uint32_t site, struct event_site definition)
{
    events_put(&play->events, event_make(EVENT_SITE, site, 0));
    events_put_payload(&play->events, &definition, sizeof definition);
}

void event_play_define(struct event_play *play)
{
    for (uint32_t function = 0; function < FUNCTION_COUNT; function++)
        event_play_define_function(play, function);
    for (uint32_t site = 0; site < SITE_COUNT; site++)
        event_play_define_site(play, site, site_list[site].definition);
    for (uint32_t thread = 1; thread < 4; thread++)
        events_put(&play->events, event_make(EVENT_COROUTINE, thread, 0));
}

void event_play_begin(struct event_play *play, uint32_t run)
{
    if (play->rebuild == NULL)
        play->rebuild = rebuild_new(&play->settings);
    events_put(&play->events, event_make(EVENT_RECORDING, run, 0));
    events_put(&play->events, event_make(EVENT_BEGIN, run, 0));
    events_put_payload(&play->events, &play->begin, sizeof play->begin);
    event_play_define(play);
}

void event_play_put_text(struct event_play *play, const char *text, size_t length)
{
    uint32_t site_ids[26] = {0}, function_ids[FUNCTION_COUNT], thread_ids[THREAD_COUNT];
    for (uint32_t i = 0; i < SITE_COUNT; i++) {
        bool is_root = site_list[i].definition.line == NO_CALLER;
        site_ids[site_list[i].letter - 'A'] =
            event_make(is_root ? EVENT_ROOT_CALL : EVENT_CALL, i, 0).what;
    }
    for (uint32_t i = 0; i < FUNCTION_COUNT; i++)
        function_ids[i] = 1 + i;
    for (uint32_t i = 0; i < THREAD_COUNT; i++)
        thread_ids[i] = 1 + i;
    struct id_map sites = {0}, functions = {0}, threads = {0};
    id_map_fill(&sites, site_ids, 26);
    id_map_fill(&functions, function_ids, FUNCTION_COUNT);
    id_map_fill(&threads, thread_ids, THREAD_COUNT);
    struct events_text line = {
        .text = {text, length}, .sites = &sites, .functions = &functions, .threads = &threads};
    size_t from = 0;
    uint64_t count = 0;
    uint32_t id;
    enum events_problem problem = events_read(&play->events, &line, &from, &count, &id);
    index_release(&sites.index);
    index_release(&functions.index);
    index_release(&threads.index);
    if (problem == EVENTS_READ)
        return;
    fprintf(stderr, "no events: %s\n", text);
    abort();
}

void event_play_text(struct event_play *play, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "?|");
        event_play_put_text(play, text, length);
        text += length;
        if (*text == '?') {
            events_put(&play->events, event_make(EVENT_LOST, 0, 0));
            text++;
        }
        if (*text == '|') {
            push_events(play);
            text++;
        }
    }
    push_events(play);
}
