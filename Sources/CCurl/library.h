#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "CCurl.h"

// The part of libcurl's interface that is used. The numbers belong to its binary interface, which has not
// changed since the library has the name libcurl.so.4.
enum {
  OPTION_POST = 47,
  OPTION_SSL_VERIFYPEER = 64,
  OPTION_FRESH_CONNECT = 74,
  OPTION_FORBID_REUSE = 75,
  OPTION_HTTPGET = 80,
  OPTION_SSL_VERIFYHOST = 81,
  OPTION_HTTP_VERSION = 84,
  OPTION_BUFFERSIZE = 98,
  OPTION_NOSIGNAL = 99,
  OPTION_TCP_NODELAY = 121,
  OPTION_CONNECT_ONLY = 141,
  OPTION_CONNECTTIMEOUT_MS = 156,
  OPTION_PROTOCOLS = 181,
  OPTION_TCP_KEEPALIVE = 213,
  OPTION_PIPEWAIT = 237,
  OPTION_HTTPPROXYTUNNEL = 61,
  OPTION_SUPPRESS_CONNECT_HEADERS = 265,
  OPTION_HTTP09_ALLOWED = 285,
  OPTION_WRITEDATA = 10001,
  OPTION_URL = 10002,
  OPTION_READDATA = 10009,
  OPTION_ERRORBUFFER = 10010,
  OPTION_POSTFIELDS = 10015,
  OPTION_HTTPHEADER = 10023,
  OPTION_SSLCERT = 10025,
  OPTION_KEYPASSWD = 10026,
  OPTION_HEADERDATA = 10029,
  OPTION_CAINFO = 10065,
  OPTION_SSLKEY = 10087,
  OPTION_CAPATH = 10097,
  OPTION_ACCEPT_ENCODING = 10102,
  OPTION_PRIVATE = 10103,
  OPTION_OPENSOCKETDATA = 10164,
  OPTION_CLOSESOCKETDATA = 10209,
  OPTION_UNIX_SOCKET_PATH = 10231,
  OPTION_RESOLVER_START_DATA = 10273,
  OPTION_PREREQDATA = 10313,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_READFUNCTION = 20012,
  OPTION_HEADERFUNCTION = 20079,
  OPTION_OPENSOCKETFUNCTION = 20163,
  OPTION_CLOSESOCKETFUNCTION = 20208,
  OPTION_RESOLVER_START_FUNCTION = 20272,
  OPTION_PREREQFUNCTION = 20312,
  OPTION_POSTFIELDSIZE_LARGE = 30120,
  OPTION_CAINFO_BLOB = 40309,

  INFO_PRIVATE = 0x100000 + 21,
  INFO_REQUEST_SIZE = 0x200000 + 12,
  INFO_NUM_CONNECTS = 0x200000 + 26,
  INFO_ACTIVESOCKET = 0x500000 + 44,
  INFO_TLS_SSL_PTR = 0x400000 + 45,

  POOL_MAXCONNECTS = 6,
  POOL_MAX_HOST_CONNECTIONS = 7,
  POOL_SOCKETDATA = 10002,
  POOL_TIMERDATA = 10005,
  POOL_SOCKETFUNCTION = 20001,
  POOL_TIMERFUNCTION = 20004,

  GLOBAL_DEFAULT = 3,
  PROTOCOL_HTTP_AND_HTTPS = 3,
  HTTP_VERSION_1_1 = 2,
  HTTP_VERSION_2_OVER_TLS = 4,
  ERROR_SIZE = 256,

  SOCKET_TIMEOUT = -1,
  SOCKET_BAD = -1,
  WATCH_IN = 1,
  WATCH_OUT = 2,
  READY_IN = 1,
  READY_OUT = 2,
  READY_ERROR = 4,
  PAUSE_WRITING = 0x10000001,
  PAUSE_READING = 0x10000001,
  ABORT_READING = 0x10000000,
  CONTINUE_ALL = 0,
  MESSAGE_DONE = 1,
};

enum {
  CODE_OK = 0,
  CODE_UNSUPPORTED_PROTOCOL = 1,
  CODE_URL_MALFORMAT = 3,
  CODE_NOT_BUILT_IN = 4,
  CODE_COULDNT_RESOLVE_PROXY = 5,
  CODE_COULDNT_RESOLVE_HOST = 6,
  CODE_WEIRD_SERVER_REPLY = 8,
  CODE_WRITE_ERROR = 23,
  CODE_HTTP2 = 16,
  CODE_OUT_OF_MEMORY = 27,
  CODE_OPERATION_TIMEDOUT = 28,
  CODE_SSL_CONNECT_ERROR = 35,
  CODE_BAD_FUNCTION_ARGUMENT = 43,
  CODE_SEND_ERROR = 55,
  CODE_RECV_ERROR = 56,
  CODE_PEER_FAILED_VERIFICATION = 60,
  CODE_BAD_CONTENT_ENCODING = 61,
  CODE_CANNOT_REWIND = 65,
  CODE_UNKNOWN_OPTION = 48,
  CODE_AGAIN = 81,
  CODE_HTTP2_STREAM = 92,
  CODE_PROXY = 97,
  CODE_TOO_LARGE = 100,
};

// A header field in libcurl's list.
typedef struct header_line {
  char *text;
  struct header_line *next;
} header_line;

// Bytes that libcurl uses without copying them.
typedef struct {
  void *bytes;
  size_t count;
  unsigned flags;
} blob;

// libcurl's description of a TLS session; `session` is OpenSSL's `SSL *` for that library.
typedef struct {
  int kind;
  void *session;
} tls_session;

enum { TLS_OPENSSL = 1, TLS_1_3 = 0x0304 };

// libcurl's information about a finished transfer.
typedef struct {
  int kind;
  void *easy;
  union {
    void *anything;
    int code;
  } data;
} done_message;

struct ccurl_library {
  // OpenSSL's, if libcurl uses it; NULL otherwise.
  int (*tls_version)(const void *session);
  int (*global_init)(long);
  const char *(*version)(void);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  int (*easy_pause)(void *, int);
  int (*easy_send)(void *, const void *, size_t, size_t *);
  int (*easy_recv)(void *, void *, size_t, size_t *);
  void (*easy_cleanup)(void *);
  const char *(*easy_strerror)(int);
  void *(*multi_init)(void);
  int (*multi_setopt)(void *, int, ...);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_socket_action)(void *, int, int, int *);
  done_message *(*multi_info_read)(void *, int *);
  int (*multi_cleanup)(void *);
  char version_text[32];
};

#endif
