#ifndef LIBRARY_H
#define LIBRARY_H

#include "CHiredis.h"

/// The functions of hiredis that are used, as its documentation declares them. Pointers to its types are
/// opaque, except for the values of the parser and the beginning of a context, see value.c and secure.c.
struct chiredis_library {
  bool is_version_1;
  void *(*reader_create)(void);
  void (*reader_free)(void *reader);
  int (*reader_feed)(void *reader, const char *bytes, size_t count);
  int (*reader_get_reply)(void *reader, void **reply);
  void (*free_reply)(void *reply);

  // For TLS, which hiredis only has for its own connections.
  void *(*connect_fd)(int descriptor);
  void (*context_free)(void *context);
  int (*append)(void *context, const char *bytes, size_t count);
  int (*buffer_write)(void *context, int *is_done);
  int (*buffer_read)(void *context);
  int (*context_get_reply)(void *context, void **reply);
  int (*init_openssl)(void);
  void *(*create_tls)(
      const char *authorities, const char *folder, const char *certificate, const char *key,
      const char *server_name, int *error);
  void (*free_tls)(void *tls);
  int (*initiate_tls)(void *context, void *tls);
};

#endif
