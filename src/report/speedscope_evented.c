#include "report/speedscope_evented.h"

#include "report/report_timeline.h"

/* A profile while it is written. */
struct evented {
    struct output *out;
    const uint32_t *frames;
    uint32_t truncated;                  /* index of `frames` */
    const struct slice *slices;          /* of the track */
    size_t open[TIMELINE_DEPTH_MAX + 1]; /* [depth]: indexes of open slices */
    size_t depth;
    bool has_events;
    struct text text;
};

static void put_event(struct evented *evented, const char *type, int64_t at_ns,
                      const struct slice *slice)
{
    struct text *text = &evented->text;
    bool is_truncated = slice->function == TIMELINE_TRUNCATED;
    text_put_string(text, evented->has_events ? ",\n{\"type\":\"" : "\n{\"type\":\"");
    text_put_string(text, type);
    text_put_string(text, "\",\"at\":");
    text_put_number(text, at_ns);
    text_put_string(text, ",\"frame\":");
    text_put_count(text, evented->frames[is_truncated ? evented->truncated : slice->function]);
    text_put_string(text, "}");
    output_put(evented->out, text->at, text->length);
    text->length = 0;
    evented->has_events = true;
}

static void close_to(struct evented *evented, size_t depth)
{
    while (evented->depth > depth) {
        const struct slice *slice = &evented->slices[evented->open[--evented->depth]];
        put_event(evented, "C", slice->end_ns, slice);
    }
}

static void put_head(struct evented *evented, const struct report *report,
                     const struct timeline_track *track, const struct timeline_window *window)
{
    struct text *text = &evented->text;
    text_put_string(text, ",\n{\"type\":\"evented\",\"name\":");
    timeline_put_track(text, report, track, true);
    text_printf(text,
                ",\"unit\":\"nanoseconds\",\"startValue\":%lld,\"endValue\":%lld,\"events\":[",
                (long long)window->begin_ns, (long long)window->end_ns);
    output_put(evented->out, text->at, text->length);
    text->length = 0;
}

void speedscope_put_evented(struct output *out, const struct report *report, const uint32_t *frames)
{
    const struct timeline *timeline = &report->profile->timeline;
    const struct timeline_window *window = timeline->windows;
    struct evented evented = {
        .out = out, .frames = frames, .truncated = report->profile->symbols.function_count};
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        while (window->run != track->run)
            window++;
        evented.slices = timeline->slices + track->first_slice;
        evented.has_events = false;
        put_head(&evented, report, track, window);
        for (size_t k = 0; k < track->slices && !output_has_failed(out); k++) {
            const struct slice *slice = &evented.slices[k];
            close_to(&evented, slice->depth);
            evented.open[evented.depth++] = k;
            put_event(&evented, "O", slice->begin_ns, slice);
        }
        close_to(&evented, 0);
        output_put_string(out, "]}");
    }
    text_release(&evented.text);
}
