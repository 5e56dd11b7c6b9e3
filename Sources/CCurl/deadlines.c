#include "deadlines.h"

#include <stdlib.h>
#include <time.h>

static void place(deadline_heap *heap, deadline *deadline, ptrdiff_t index) {
  heap->entries[index] = deadline;
  deadline->index = index;
}

// Moves the deadline at `index` up or down to its position.
static void settle(deadline_heap *heap, ptrdiff_t index) {
  deadline *moved = heap->entries[index];
  while (index > 0) {
    ptrdiff_t parent = (index - 1) / 2;
    if (heap->entries[parent]->time <= moved->time) break;
    place(heap, heap->entries[parent], index);
    index = parent;
  }
  for (;;) {
    ptrdiff_t child = 2 * index + 1;
    if (child >= heap->count) break;
    if (child + 1 < heap->count && heap->entries[child + 1]->time < heap->entries[child]->time) {
      child++;
    }
    if (moved->time <= heap->entries[child]->time) break;
    place(heap, heap->entries[child], index);
    index = child;
  }
  place(heap, moved, index);
}

bool deadlines_reserve(deadline_heap *heap, ptrdiff_t count) {
  if (count <= heap->capacity) return true;
  ptrdiff_t capacity = count * 2 + 16;
  deadline **grown = realloc(heap->entries, (size_t)capacity * sizeof *grown);
  if (grown == NULL) return false;
  heap->entries = grown;
  heap->capacity = capacity;
  return true;
}

void deadlines_set(deadline_heap *heap, deadline *deadline, int64_t time) {
  deadline->time = time;
  if (deadline->index < 0) place(heap, deadline, heap->count++);
  settle(heap, deadline->index);
}

void deadlines_remove(deadline_heap *heap, deadline *removed) {
  ptrdiff_t index = removed->index;
  if (index < 0) return;
  removed->index = -1;
  deadline *last = heap->entries[--heap->count];
  if (last == removed) return;
  place(heap, last, index);
  settle(heap, index);
}

deadline *deadlines_first(const deadline_heap *heap) {
  return heap->count > 0 ? heap->entries[0] : NULL;
}

int64_t nanoseconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
