#ifndef CCURL_EXITING_H
#define CCURL_EXITING_H

#include <stdbool.h>

// The exit of the process. `exit` runs functions of the TLS library that free memory which the loops'
// threads still use. So the threads are stopped first.

typedef struct ccurl_loop ccurl_loop;

// Adds a loop whose thread is about to run. Must be called after libcurl was set up, since functions that
// were registered last run first. False if memory is exhausted.
bool exiting_add(ccurl_loop *loop);
// Removes a loop that no longer uses libcurl.
void exiting_remove(ccurl_loop *loop);
// Called by the thread of a loop between two turns. Does not return when the process exits.
void exiting_pause(ccurl_loop *loop);

#endif
