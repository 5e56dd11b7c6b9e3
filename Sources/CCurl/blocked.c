#define _GNU_SOURCE
#include <time.h>

#include "loop.h"

// A server that endlessly sends bytes other than content can keep libcurl inside one call: it reads until
// nothing is left. All other transfers of the loop wait meanwhile. Another thread monitors this.

// How long the thread may work before other threads detect it, and for how much processor time before the
// connection that it reads from is reset; on a busy machine the two differ.
#define LATE_NANOSECONDS 200000000LL
#define BLOCKED_NANOSECONDS 400000000LL

static int64_t processor_time(pthread_t thread) {
#ifdef __linux__
  clockid_t clock;
  struct timespec time;
  if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
#else
  return 0;
#endif
}

bool ccurl_loop_is_late(ccurl_loop *loop) {
  int64_t since = atomic_load(&loop->busy_since);
  if (since == 0 || nanoseconds_now() - since < LATE_NANOSECONDS) return false;
  int64_t cpu = processor_time(loop->thread);
  unsigned call = atomic_load(&loop->call_number);
  if (call != loop->blocked_call) {
    loop->blocked_call = call;
    loop->blocked_cpu = cpu;
    sockets_sample(&loop->sockets);
  } else if (call % 2 != 0 && cpu - loop->blocked_cpu > BLOCKED_NANOSECONDS) {
    loop->blocked_cpu = cpu;
    sockets_break_busiest(&loop->sockets, atomic_load(&loop->served_descriptor));
  }
  return true;
}
