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

// Watches the descriptor for what `interest` says (WATCH_IN, WATCH_OUT) from now on; 0 forgets it.
bool poller_watch(poller *poller, int descriptor, int interest);

// Waits for `milliseconds` at most (-1: for ever) and returns how many events there are. Events of
// descriptors that were forgotten meanwhile may be among them.
int poller_wait(poller *poller, poller_event *events, int capacity, int milliseconds);

#endif
