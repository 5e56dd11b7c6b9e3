#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// The sockets that libcurl has open, so that the one of a connection that is used again can be found.
typedef struct {
  // 0 until the socket is connected, and for Unix domain sockets, which have none.
  int local_port;
  int remote_port;
  char remote_address[46];
} socket_endpoint;

typedef struct {
  int descriptor;
  socket_endpoint endpoint;
  // A response of HTTP/1 came on it, so that nothing may come that no request asked for.
  bool is_http1;
  // How many bytes had been read from it when `sockets_sample` was called last.
  int64_t read_count;
} open_socket;

typedef struct {
  // Held while entries come and go, and by other threads while they read them.
  pthread_mutex_t mutex;
  open_socket *entries;
  int count;
  int capacity;
} socket_list;

// A socket that cannot be noted is not looked after: without memory nothing else works either.
void sockets_add(socket_list *list, int descriptor);
void sockets_remove(socket_list *list, int descriptor);

// For any thread: notes how much has been read from each connection.
void sockets_sample(socket_list *list);
// For any thread: breaks the connection from which most has been read since, if that is much, and notes it
// anew. A Unix domain socket is broken when it is `served`, as its bytes are not counted.
void sockets_break_busiest(socket_list *list, int served);

socket_endpoint endpoint_make(const char *remote_address, int local_port, int remote_port);

// Notes the endpoint of a socket that has just been connected.
void sockets_note_endpoint(socket_list *list, const socket_endpoint *endpoint);

// Notes that the responses on a connection are those of HTTP/1.
void sockets_note_http1(socket_list *list, const socket_endpoint *endpoint);

// Whether a connection of HTTP/1 cannot be used again: it has been reset, or bytes wait to be read that no
// request has asked for. Over TLS they may be the end of its session as well. libcurl would send on the one,
// and take the others for the response to the next request, so the connection is ended, which it notices.
bool sockets_discard_useless(const socket_list *list, const socket_endpoint *endpoint);

#endif
