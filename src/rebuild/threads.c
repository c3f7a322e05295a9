#include "rebuild/threads.h"

#include "base/mem.h"

#include <stdlib.h>

void thread_push_frame(struct thread *thread, struct frame frame)
{
    thread->frames = mem_grow(thread->frames, &thread->frame_capacity, thread->depth + 1,
                              sizeof *thread->frames);
    thread->frames[thread->depth++] = frame;
}

void thread_push_segment(struct thread *thread, struct segment segment)
{
    thread->segments = mem_grow(thread->segments, &thread->segment_capacity,
                                thread->segment_count + 1, sizeof *thread->segments);
    thread->segments[thread->segment_count++] = segment;
}

void thread_list_node(struct thread *thread, uint32_t node)
{
    thread->listed = mem_grow(thread->listed, &thread->listed_capacity, thread->listed_count + 1,
                              sizeof *thread->listed);
    thread->listed[thread->listed_count++] = node;
}

void thread_release(struct thread *thread)
{
    free(thread->frames);
    free(thread->segments);
    free(thread->listed);
    *thread = (struct thread){0};
}
