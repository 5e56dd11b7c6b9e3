#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef __linux__
// glibc's own header leaves the number of bytes out.
#include <linux/tcp.h>
#endif

// A call that reads from a connection endlessly reads more than this in the time that blocked.c allows.
enum { BUSY_BYTES = 32768 };

static void take_out(socket_list *list, int descriptor) {
  for (int index = 0; index < list->count; index++) {
    if (list->entries[index].descriptor != descriptor) continue;
    list->entries[index] = list->entries[--list->count];
    return;
  }
}

static bool has_room(socket_list *list) {
  if (list->count < list->capacity) return true;
  int capacity = list->capacity * 2 + 16;
  open_socket *grown = realloc(list->entries, (size_t)capacity * sizeof *grown);
  if (grown == NULL) return false;
  list->entries = grown;
  list->capacity = capacity;
  return true;
}

void sockets_remove(socket_list *list, int descriptor) {
  pthread_mutex_lock(&list->mutex);
  take_out(list, descriptor);
  pthread_mutex_unlock(&list->mutex);
}

void sockets_add(socket_list *list, int descriptor) {
  pthread_mutex_lock(&list->mutex);
  take_out(list, descriptor);
  if (has_room(list)) list->entries[list->count++] = (open_socket){.descriptor = descriptor};
  pthread_mutex_unlock(&list->mutex);
}

// The number of bytes read from a TCP connection; negative if it is not known.
static int64_t read_count(int descriptor) {
#ifdef __linux__
  struct tcp_info info;
  socklen_t length = sizeof info;
  int unread;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
  if (length < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) return -1;
  if (ioctl(descriptor, FIONREAD, &unread) != 0) return -1;
  return (int64_t)info.tcpi_bytes_received - unread;
#else
  return -1;
#endif
}

static void sample(socket_list *list) {
  for (int index = 0; index < list->count; index++) {
    list->entries[index].read_count = read_count(list->entries[index].descriptor);
  }
}

void sockets_sample(socket_list *list) {
  pthread_mutex_lock(&list->mutex);
  sample(list);
  pthread_mutex_unlock(&list->mutex);
}

static void break_connection(int descriptor) {
  shutdown(descriptor, SHUT_RDWR);
  // Further incoming bytes could still be read. Without an address, TCP resets the connection.
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  connect(descriptor, &none, sizeof none);
}

void sockets_break_busiest(socket_list *list, int served) {
  pthread_mutex_lock(&list->mutex);
  int busiest = -1;
  int64_t most = BUSY_BYTES;
  for (int index = 0; index < list->count; index++) {
    const open_socket *entry = &list->entries[index];
    int64_t count = read_count(entry->descriptor);
    int64_t growth = count - entry->read_count;
    if (count < 0) growth = entry->descriptor == served ? BUSY_BYTES : 0;
    if (growth < most) continue;
    most = growth;
    busiest = entry->descriptor;
  }
  if (busiest >= 0) break_connection(busiest);
  sample(list);
  pthread_mutex_unlock(&list->mutex);
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

socket_endpoint endpoint_make(const char *remote_address, int local_port, int remote_port) {
  socket_endpoint endpoint = {.local_port = local_port, .remote_port = remote_port};
  if (remote_address != NULL) {
    strncpy(endpoint.remote_address, remote_address, sizeof endpoint.remote_address - 1);
  }
  return endpoint;
}

void sockets_note_endpoint(socket_list *list, const socket_endpoint *endpoint) {
  if (endpoint->local_port <= 0) return;
  for (int index = list->count; index-- > 0;) {
    open_socket *entry = &list->entries[index];
    if (entry->endpoint.local_port != 0 ||
        local_port_of(entry->descriptor) != endpoint->local_port) {
      continue;
    }
    entry->endpoint = *endpoint;
    return;
  }
}

static bool is_same(const socket_endpoint *left, const socket_endpoint *right) {
  return left->local_port == right->local_port && left->remote_port == right->remote_port &&
         strcmp(left->remote_address, right->remote_address) == 0;
}

static open_socket *find(const socket_list *list, const socket_endpoint *endpoint) {
  if (endpoint->local_port <= 0) return NULL;
  for (int index = 0; index < list->count; index++) {
    if (is_same(&list->entries[index].endpoint, endpoint)) return &list->entries[index];
  }
  return NULL;
}

void sockets_note_http1(socket_list *list, const socket_endpoint *endpoint) {
  open_socket *entry = find(list, endpoint);
  if (entry != NULL) entry->is_http1 = true;
}

bool sockets_discard_useless(const socket_list *list, const socket_endpoint *endpoint) {
  const open_socket *entry = find(list, endpoint);
  if (entry == NULL || !entry->is_http1) return false;
  char bytes[4096];
  ssize_t count = recv(entry->descriptor, bytes, 1, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  if (local_port_of(entry->descriptor) != endpoint->local_port) return false;
  // libcurl keeps a connection open as long as there are bytes to read from it.
  shutdown(entry->descriptor, SHUT_RDWR);
  while (recv(entry->descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
  return true;
}
