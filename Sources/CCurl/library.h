#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "CCurl.h"

// The part of libcurl's interface that is used. The numbers belong to its binary interface, which
// has not changed since the library is named libcurl.so.4.
enum {
  OPTION_NOPROGRESS = 43,
  OPTION_POST = 47,
  OPTION_HTTPPROXYTUNNEL = 61,
  OPTION_SSL_VERIFYPEER = 64,
  OPTION_SSL_VERIFYHOST = 81,
  OPTION_HTTP_VERSION = 84,
  OPTION_NOSIGNAL = 99,
  OPTION_TCP_NODELAY = 121,
  OPTION_CONNECT_ONLY = 141,
  OPTION_TIMEOUT_MS = 155,
  OPTION_WRITEDATA = 10001,
  OPTION_URL = 10002,
  OPTION_ERRORBUFFER = 10010,
  OPTION_POSTFIELDS = 10015,
  OPTION_HTTPHEADER = 10023,
  OPTION_XFERINFODATA = 10057,
  OPTION_CAINFO = 10065,
  OPTION_CAPATH = 10097,
  OPTION_ACCEPT_ENCODING = 10102,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_XFERINFOFUNCTION = 20219,
  OPTION_POSTFIELDSIZE_LARGE = 30120,

  INFO_CONTENT_TYPE = 0x100000 + 18,
  INFO_REDIRECT_URL = 0x100000 + 31,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  INFO_ACTIVESOCKET = 0x500000 + 44,

  GLOBAL_DEFAULT = 3,
  HTTP_VERSION_1_1 = 2,
  ERROR_SIZE = 256,
};

enum {
  CODE_OK = 0,
  CODE_UNSUPPORTED_PROTOCOL = 1,
  CODE_URL_MALFORMAT = 3,
  CODE_COULDNT_RESOLVE_PROXY = 5,
  CODE_COULDNT_RESOLVE_HOST = 6,
  CODE_COULDNT_CONNECT = 7,
  CODE_WRITE_ERROR = 23,
  CODE_OPERATION_TIMEDOUT = 28,
  CODE_SSL_CONNECT_ERROR = 35,
  CODE_ABORTED_BY_CALLBACK = 42,
  CODE_PEER_FAILED_VERIFICATION = 60,
  CODE_AGAIN = 81,
};

struct ccurl_library {
  int (*global_init)(long);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_perform)(void *);
  int (*easy_getinfo)(void *, int, ...);
  int (*easy_send)(void *, const void *, size_t, size_t *);
  int (*easy_recv)(void *, void *, size_t, size_t *);
  void (*easy_cleanup)(void *);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
  const char *(*easy_strerror)(int);
};

// What a code of libcurl means; `otherwise` where it means nothing of its own.
ccurl_status ccurl_status_of(int code, ccurl_status otherwise);

// Blocks SIGPIPE in this thread: where the library under TLS does not ask for an error instead, a
// write to a broken connection raises it, which ends the process.
void ccurl_block_sigpipe(void);

#endif
