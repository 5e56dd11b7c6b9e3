#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include <stdbool.h>

// The sockets without TLS that libcurl has open, so that the one of a connection that is used again can
// be found.
typedef struct {
  // 0 until the socket is connected, and for Unix domain sockets, which have none.
  int local_port;
  int remote_port;
  char remote_address[46];
} plain_endpoint;

typedef struct {
  int descriptor;
  plain_endpoint endpoint;
} plain_socket;

typedef struct {
  plain_socket *entries;
  int count;
  int capacity;
} socket_list;

// A socket that cannot be noted is not looked after: without memory nothing else works either.
void sockets_add(socket_list *list, int descriptor);
void sockets_remove(socket_list *list, int descriptor);

plain_endpoint plain_endpoint_make(const char *remote_address, int local_port, int remote_port);

// Notes the endpoint of a socket that has just been connected.
void sockets_note_endpoint(socket_list *list, const plain_endpoint *endpoint);

// Whether a connection cannot be used again: it has been reset, or bytes wait to be read that no request
// has asked for. libcurl would send on the one, and take the others for the response to the next
// request, so the connection is ended, which it notices.
bool sockets_discard_useless(const socket_list *list, const plain_endpoint *endpoint);

#endif
