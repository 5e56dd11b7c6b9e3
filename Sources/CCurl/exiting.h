#ifndef CCURL_EXITING_H
#define CCURL_EXITING_H

#include <stdbool.h>

// The end of the process. `exit` runs the functions of the library under TLS, which free what the threads of
// loops use, while these go on running. They are stopped first.

typedef struct ccurl_loop ccurl_loop;

// Adds a loop whose thread is about to run. To be called after libcurl was set up: functions that were
// registered last run first. False without memory.
bool exiting_add(ccurl_loop *loop);
// Removes a loop that uses libcurl no more.
void exiting_remove(ccurl_loop *loop);
// Called by the thread of a loop between two turns. Does not return when the process ends.
void exiting_pause(ccurl_loop *loop);

#endif
