#ifndef CCURL_POLLER_H
#define CCURL_POLLER_H

#include <stdbool.h>

// Waits for sockets: epoll on Linux, poll elsewhere. For one thread.
typedef struct poller poller;

typedef struct {
  int descriptor;
  // READY_IN, READY_OUT and READY_ERROR.
  int events;
} poller_event;

poller *poller_make(void);
void poller_free(poller *poller);

// Monitors the descriptor for `interest` (WATCH_IN, WATCH_OUT) from now on; 0 removes it.
bool poller_watch(poller *poller, int descriptor, int interest);

// Waits for at most `milliseconds` (-1: no limit) and returns the number of events. They may include events
// of descriptors that were removed meanwhile.
int poller_wait(poller *poller, poller_event *events, int capacity, int milliseconds);

#endif
