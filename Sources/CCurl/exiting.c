#define _GNU_SOURCE
#include "exiting.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

// How long the exit of the process waits for threads that are in a function of the caller's.
enum { PATIENCE_SECONDS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_changed = PTHREAD_COND_INITIALIZER;
static ccurl_loop *first;
static bool is_registered;
static pid_t owner;
static atomic_bool is_exiting;

static void stop_all(void) {
  // A forked child has only its own thread.
  if (getpid() != owner) return;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE_SECONDS;
  pthread_mutex_lock(&mutex);
  atomic_store(&is_exiting, true);
  for (ccurl_loop *loop = first; loop != NULL; loop = loop->next_running) {
    ssize_t ignored = write(loop->wake_writer, "", 1);
    (void)ignored;
  }
  while (first != NULL && pthread_cond_timedwait(&has_changed, &mutex, &end) == 0) {}
  pthread_mutex_unlock(&mutex);
}

bool exiting_add(ccurl_loop *loop) {
  pthread_mutex_lock(&mutex);
  if (!is_registered) is_registered = atexit(stop_all) == 0;
  bool is_added = is_registered;
  if (is_added) {
    owner = getpid();
    loop->next_running = first;
    first = loop;
  }
  pthread_mutex_unlock(&mutex);
  return is_added;
}

void exiting_remove(ccurl_loop *loop) {
  pthread_mutex_lock(&mutex);
  for (ccurl_loop **link = &first; *link != NULL; link = &(*link)->next_running) {
    if (*link != loop) continue;
    *link = loop->next_running;
    break;
  }
  pthread_cond_broadcast(&has_changed);
  pthread_mutex_unlock(&mutex);
}

void exiting_pause(ccurl_loop *loop) {
  if (!atomic_load(&is_exiting)) return;
  exiting_remove(loop);
  while (true) pause();
}
