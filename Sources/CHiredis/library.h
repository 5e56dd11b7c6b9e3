#ifndef LIBRARY_H
#define LIBRARY_H

#include "CHiredis.h"

/// The functions of hiredis that are used, as its documentation declares them. Pointers to its types are
/// opaque, except for the values of the parser, see value.c.
struct chiredis_library {
  bool is_version_1;
  void *(*reader_create)(void);
  void (*reader_free)(void *reader);
  int (*reader_feed)(void *reader, const char *bytes, size_t count);
  int (*reader_get_reply)(void *reader, void **reply);
  void (*free_reply)(void *reply);
};

/// Sets the pointer `function` to the function of that name; false if the library has none.
bool library_find(void *handle, const char *name, void *function);

#endif
