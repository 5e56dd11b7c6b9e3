#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool library_find(void *handle, const char *name, void *function) {
  // POSIX allows converting an object pointer of dlsym to a function pointer; ISO C does not, so it is copied.
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool find_all(void *handle, chiredis_library *library) {
  return library_find(handle, "redisReaderCreate", &library->reader_create) &&
         library_find(handle, "redisReaderFree", &library->reader_free) &&
         library_find(handle, "redisReaderFeed", &library->reader_feed) &&
         library_find(handle, "redisReaderGetReply", &library->reader_get_reply) &&
         library_find(handle, "freeReplyObject", &library->free_reply);
}

chiredis_library *chiredis_open_library(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return NULL;
  chiredis_library *library = calloc(1, sizeof *library);
  if (library != NULL && find_all(handle, library)) {
    // hiredis has no function for its version. Version 1.0 added this one. The layout of values of older versions
    // differs among them, so only the version that is part of the file name is known.
    void *push;
    library->is_version_1 = library_find(handle, "redisSetPushCallback", &push);
    size_t length = strlen(name);
    bool is_0_14 = length >= 4 && strcmp(name + length - 4, "0.14") == 0;
    if (library->is_version_1 || is_0_14) return library;
  }
  free(library);
  dlclose(handle);
  return NULL;
}
