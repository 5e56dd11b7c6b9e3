#ifndef CCURL_HEAD_H
#define CCURL_HEAD_H

#include <stdbool.h>
#include <stddef.h>

// The status of a response's head, -1 when its first line is no status line.
int head_status(const char *head, size_t count);

// Whether the fields of a head leave no doubt of the length of the body.
bool head_has_clear_length(const char *head, size_t count);

#endif
