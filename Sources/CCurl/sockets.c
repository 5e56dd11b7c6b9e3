#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

void sockets_remove(socket_list *list, int descriptor) {
  for (int index = 0; index < list->count; index++) {
    if (list->entries[index].descriptor != descriptor) continue;
    list->entries[index] = list->entries[--list->count];
    return;
  }
}

void sockets_add(socket_list *list, int descriptor) {
  sockets_remove(list, descriptor);
  if (list->count == list->capacity) {
    int capacity = list->capacity * 2 + 16;
    plain_socket *grown = realloc(list->entries, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return;
    list->entries = grown;
    list->capacity = capacity;
  }
  list->entries[list->count++] = (plain_socket){.descriptor = descriptor};
}

static int local_port_of(int descriptor) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
  struct sockaddr_in four;
  struct sockaddr_in6 six;
  switch (address.ss_family) {
    case AF_INET: memcpy(&four, &address, sizeof four); return ntohs(four.sin_port);
    case AF_INET6: memcpy(&six, &address, sizeof six); return ntohs(six.sin6_port);
    default: return 0;
  }
}

void sockets_note_ports(socket_list *list, int local_port, int remote_port) {
  for (int index = list->count; index-- > 0;) {
    plain_socket *entry = &list->entries[index];
    if (entry->local_port != 0 || local_port_of(entry->descriptor) != local_port) continue;
    entry->local_port = local_port;
    entry->remote_port = remote_port;
    return;
  }
}

bool sockets_discard_useless(const socket_list *list, int local_port, int remote_port) {
  for (int index = 0; index < list->count; index++) {
    plain_socket entry = list->entries[index];
    if (entry.local_port != local_port || entry.remote_port != remote_port) continue;
    char bytes[4096];
    ssize_t count = recv(entry.descriptor, bytes, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (local_port_of(entry.descriptor) != local_port) return false;
    // libcurl keeps a connection as long as there is something to read from it.
    shutdown(entry.descriptor, SHUT_RDWR);
    while (recv(entry.descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
    return true;
  }
  return false;
}
