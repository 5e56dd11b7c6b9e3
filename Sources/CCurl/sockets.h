#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// The sockets that libcurl has open, to find the one of a reused connection.
typedef struct {
  // 0 until the socket is connected, and for Unix domain sockets, which have none.
  int local_port;
  int remote_port;
  char remote_address[46];
} socket_endpoint;

typedef struct {
  int descriptor;
  socket_endpoint endpoint;
  // An HTTP/1 response arrived on it, so bytes without a request are not allowed.
  bool is_http1;
  // The number of bytes read from it at the last call of `sockets_sample`.
  int64_t read_count;
} open_socket;

typedef struct {
  // Locked while entries are added and removed, and by other threads while they read them.
  pthread_mutex_t mutex;
  open_socket *entries;
  int count;
  int capacity;
} socket_list;

// A socket that cannot be recorded is not monitored: if memory is exhausted, nothing else works either.
void sockets_add(socket_list *list, int descriptor);
void sockets_remove(socket_list *list, int descriptor);

// For any thread: records how much has been read from each connection.
void sockets_sample(socket_list *list);
// For any thread: resets the connection from which most has been read since then, if that is much, and
// records the amounts again. A Unix domain socket is reset if it is `served`, as its bytes are not counted.
void sockets_break_busiest(socket_list *list, int served);

socket_endpoint endpoint_make(const char *remote_address, int local_port, int remote_port);

// Records the endpoint of a newly connected socket.
void sockets_note_endpoint(socket_list *list, const socket_endpoint *endpoint);

// Records that the responses on a connection are HTTP/1.
void sockets_note_http1(socket_list *list, const socket_endpoint *endpoint);

// Whether an HTTP/1 connection cannot be reused: it has been reset, or there are unread bytes without a
// request. Over TLS, they may also be the end of its session. libcurl would send on a reset connection, and
// would treat the bytes as the response to the next request. So the connection is ended, which libcurl
// notices.
bool sockets_discard_useless(const socket_list *list, const socket_endpoint *endpoint);

#endif
