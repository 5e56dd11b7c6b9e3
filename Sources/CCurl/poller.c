#include "poller.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "library.h"

#if defined(__linux__) && !defined(CCURL_USES_POLL)

#include <sys/epoll.h>

struct poller {
  int epoll;
};

poller *poller_make(void) {
  poller *made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->epoll = epoll_create1(EPOLL_CLOEXEC);
  if (made->epoll >= 0) return made;
  free(made);
  return NULL;
}

void poller_free(poller *poller) {
  close(poller->epoll);
  free(poller);
}

bool poller_watch(poller *poller, int descriptor, int interest) {
  struct epoll_event event = {
      .events = (interest & WATCH_IN ? EPOLLIN : 0u) | (interest & WATCH_OUT ? EPOLLOUT : 0u),
      .data = {.fd = descriptor},
  };
  if (interest == 0) {
    // A closed descriptor was removed automatically.
    epoll_ctl(poller->epoll, EPOLL_CTL_DEL, descriptor, &event);
    return true;
  }
  if (epoll_ctl(poller->epoll, EPOLL_CTL_MOD, descriptor, &event) == 0) return true;
  return errno == ENOENT && epoll_ctl(poller->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

int poller_wait(poller *poller, poller_event *events, int capacity, int milliseconds) {
  struct epoll_event ready[64];
  int count = epoll_wait(
      poller->epoll, ready, capacity < 64 ? capacity : 64, milliseconds);
  for (int index = 0; index < count; index++) {
    unsigned flags = ready[index].events;
    events[index].descriptor = ready[index].data.fd;
    events[index].events = (flags & EPOLLIN ? READY_IN : 0) | (flags & EPOLLOUT ? READY_OUT : 0) |
                           (flags & (EPOLLERR | EPOLLHUP) ? READY_ERROR : 0);
  }
  return count < 0 ? 0 : count;
}

#else

#include <poll.h>

struct poller {
  struct pollfd *polled;
  int count;
  int capacity;
};

poller *poller_make(void) { return calloc(1, sizeof(poller)); }

void poller_free(poller *poller) {
  free(poller->polled);
  free(poller);
}

bool poller_watch(poller *poller, int descriptor, int interest) {
  int index = 0;
  while (index < poller->count && poller->polled[index].fd != descriptor) index++;
  if (interest == 0) {
    if (index < poller->count) poller->polled[index] = poller->polled[--poller->count];
    return true;
  }
  if (index == poller->capacity) {
    int capacity = poller->capacity * 2 + 8;
    struct pollfd *grown = realloc(poller->polled, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return false;
    poller->polled = grown;
    poller->capacity = capacity;
  }
  if (index == poller->count) poller->count++;
  poller->polled[index] = (struct pollfd){
      .fd = descriptor,
      .events = (short)((interest & WATCH_IN ? POLLIN : 0) | (interest & WATCH_OUT ? POLLOUT : 0)),
  };
  return true;
}

int poller_wait(poller *poller, poller_event *events, int capacity, int milliseconds) {
  if (poll(poller->polled, (nfds_t)poller->count, milliseconds) <= 0) return 0;
  int found = 0;
  for (int index = 0; index < poller->count && found < capacity; index++) {
    int flags = poller->polled[index].revents;
    if (flags == 0) continue;
    events[found].descriptor = poller->polled[index].fd;
    events[found++].events = (flags & POLLIN ? READY_IN : 0) | (flags & POLLOUT ? READY_OUT : 0) |
                             (flags & (POLLERR | POLLHUP | POLLNVAL) ? READY_ERROR : 0);
  }
  return found;
}

#endif
