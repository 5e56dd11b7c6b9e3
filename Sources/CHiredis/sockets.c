#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "CHiredis.h"

static bool prepare(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return false;
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

static bool waits_until_connected(int descriptor, int milliseconds) {
  struct pollfd entry = {descriptor, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  return poll(&entry, 1, milliseconds) == 1 &&
         getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

int chiredis_connect_host(const char *host, unsigned port, int milliseconds, const char **message) {
  struct addrinfo hints = {0}, *found = NULL;
  char service[16];
  hints.ai_socktype = SOCK_STREAM;
  snprintf(service, sizeof service, "%u", port);
  if (getaddrinfo(host, service, &hints, &found) != 0) {
    *message = "the name of the host is unknown";
    return -1;
  }
  int descriptor = -1;
  for (struct addrinfo *address = found; address != NULL && descriptor < 0; address = address->ai_next) {
    descriptor = socket(address->ai_family, SOCK_STREAM, 0);
    if (descriptor < 0) continue;
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    bool is_open = prepare(descriptor) &&
                   (connect(descriptor, address->ai_addr, address->ai_addrlen) == 0 ||
                    (errno == EINPROGRESS && waits_until_connected(descriptor, milliseconds)));
    if (!is_open) {
      close(descriptor);
      descriptor = -1;
    }
  }
  freeaddrinfo(found);
  if (descriptor < 0) *message = "the host refuses the connection, or cannot be reached";
  return descriptor;
}

int chiredis_connect_path(const char *path, const char **message) {
  struct sockaddr_un address = {0};
  address.sun_family = AF_UNIX;
  *message = "the socket does not exist, or refuses the connection";
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  if (prepare(descriptor) && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

void chiredis_close(int descriptor) { close(descriptor); }

#ifdef POLLRDHUP
enum { CLOSED = POLLRDHUP };
#else
enum { CLOSED = 0 };
#endif

void chiredis_wait(chiredis_entry *entries, size_t count, int milliseconds) {
  struct pollfd few[16], *polled = few;
  if (count > 16 && (polled = calloc(count, sizeof *polled)) == NULL) return;
  for (size_t index = 0; index < count; index++) {
    polled[index].fd = entries[index].descriptor;
    polled[index].events = CLOSED | (entries[index].waits_to_read ? POLLIN : 0) |
                           (entries[index].waits_to_write ? POLLOUT : 0);
    polled[index].revents = 0;
  }
  int ready = poll(polled, (nfds_t)count, milliseconds);
  for (size_t index = 0; index < count; index++) {
    entries[index].is_ready = ready > 0 && polled[index].revents != 0;
  }
  if (polled != few) free(polled);
}

bool chiredis_wait_briefly(int descriptor, long microseconds) {
  struct pollfd entry = {descriptor, POLLIN, 0};
#ifdef __linux__
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  return ppoll(&entry, 1, &time, NULL) == 1;
#else
  return poll(&entry, 1, (int)((microseconds + 999) / 1000)) == 1;
#endif
}

bool chiredis_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  if (prepare(ends[0]) && prepare(ends[1])) return true;
  close(ends[0]);
  close(ends[1]);
  return false;
}

void chiredis_pipe_write(int end) {
  // A full pipe wakes the reader as well.
  if (write(end, "", 1) < 0) return;
}

void chiredis_pipe_drain(int end) {
  char bytes[256];
  while (read(end, bytes, sizeof bytes) == (ssize_t)sizeof bytes) continue;
}

int64_t chiredis_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
