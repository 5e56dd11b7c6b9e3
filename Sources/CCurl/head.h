#ifndef CCURL_HEAD_H
#define CCURL_HEAD_H

#include <stdbool.h>
#include <stddef.h>

// The status of a response's head, -1 if its first line is not a status line.
int head_status(const char *head, size_t count);

// Whether the fields of a head determine the length of the body unambiguously.
bool head_has_clear_length(const char *head, size_t count);

#endif
