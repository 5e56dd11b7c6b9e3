#ifndef CCURL_DEADLINES_H
#define CCURL_DEADLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The time of the deadline, in nanoseconds of the clock that `nanoseconds_now` reads.
typedef struct deadline {
  int64_t time;
  // The index in its heap; -1 if it is in none.
  ptrdiff_t index;
} deadline;

// A binary heap of deadlines, the earliest first. It does not own them.
typedef struct {
  deadline **entries;
  ptrdiff_t count;
  ptrdiff_t capacity;
} deadline_heap;

// Reserves memory for `count` deadlines; `deadlines_set` needs it.
bool deadlines_reserve(deadline_heap *heap, ptrdiff_t count);
// Moves the deadline to the position for its new time.
void deadlines_set(deadline_heap *heap, deadline *deadline, int64_t time);
void deadlines_remove(deadline_heap *heap, deadline *deadline);
// NULL if there is none.
deadline *deadlines_first(const deadline_heap *heap);

int64_t nanoseconds_now(void);

#endif
