#include "report/files/speedscope_evented.h"

#include "report/files/timeline_names.h"

/* A profile while it is written. */
struct evented {
    struct json_writer *json;
    const uint32_t *frames;
    uint32_t truncated;                  /* index of `frames` */
    const struct slice *slices;          /* of the track */
    size_t open[TIMELINE_DEPTH_MAX + 1]; /* [depth]: indexes of open slices */
    size_t depth;
};

/* Piece by piece, because a time line can have millions of events; `type` is the first piece. */
static void put_event(struct evented *evented, const char *type, int64_t at_ns,
                      const struct slice *slice)
{
    bool is_truncated = slice->function == TIMELINE_TRUNCATED;
    json_line(evented->json);
    struct text *text = json_value(evented->json, NULL);
    text_put_string(text, type);
    text_put_number(text, at_ns);
    text_put_string(text, ",\"frame\":");
    text_put_count(text, evented->frames[is_truncated ? evented->truncated : slice->function] - 1);
    text_put_string(text, "}");
}

static void close_to(struct evented *evented, size_t depth)
{
    while (evented->depth > depth) {
        const struct slice *slice = &evented->slices[evented->open[--evented->depth]];
        put_event(evented, "{\"type\":\"C\",\"at\":", slice->end_ns, slice);
    }
}

void speedscope_put_evented(struct json_writer *json, const struct report *report,
                            const uint32_t *frames)
{
    const struct timeline *timeline = &report->profile->timeline;
    const struct timeline_window *window = timeline->windows;
    struct text name = {0};
    struct evented evented = {
        .json = json, .frames = frames, .truncated = report->profile->symbols.function_count};
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        while (window->run != track->run)
            window++;
        evented.slices = timeline->slices + track->first_slice;
        json_line(json);
        json_object(json, NULL);
        json_string(json, "type", "evented");
        timeline_put_track(&name, report, track, true);
        json_text(json, "name", text_span(&name));
        text_cut(&name, 0);
        json_string(json, "unit", "nanoseconds");
        json_number(json, "startValue", window->begin_ns);
        json_number(json, "endValue", window->end_ns);
        json_array(json, "events");
        for (size_t k = 0; k < track->slices && !output_has_failed(json->out); k++) {
            const struct slice *slice = &evented.slices[k];
            close_to(&evented, slice->depth);
            evented.open[evented.depth++] = k;
            put_event(&evented, "{\"type\":\"O\",\"at\":", slice->begin_ns, slice);
        }
        close_to(&evented, 0);
        json_end(json);
        json_end(json);
    }
    text_release(&name);
}
