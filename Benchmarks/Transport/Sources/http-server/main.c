// Responds to every HTTP/1.1 request with the bytes of a file, over connections that are kept open.
//
// Usage: http-server FILE
// Prints its port on loopback, and ends with its standard input.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_CAPACITY = 1 << 16, MAXIMUM_DESCRIPTORS = 4096 };

typedef struct {
  char bytes[REQUEST_CAPACITY];
  size_t count;
} connection;

static connection *connections[MAXIMUM_DESCRIPTORS];
static char *response;
static size_t response_count;

static void read_response(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) exit(2);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  response = malloc((size_t)size + 256);
  int head = sprintf(
      response,
      "HTTP/1.1 200 OK\r\nContent-Type: application/graphql-response+json\r\n"
      "Content-Length: %ld\r\n\r\n",
      size);
  response_count = (size_t)head + fread(response + head, 1, (size_t)size, file);
  fclose(file);
}

// The length of the first request; 0 if it is not complete.
static size_t request_length(const connection *connection) {
  const char *end = memmem(connection->bytes, connection->count, "\r\n\r\n", 4);
  if (end == NULL) return 0;
  size_t length = (size_t)(end + 4 - connection->bytes);
  const char *field = memmem(connection->bytes, length, "Content-Length: ", 16);
  if (field != NULL) length += (size_t)atol(field + 16);
  return length <= connection->count ? length : 0;
}

static void write_all(int descriptor) {
  for (size_t sent = 0; sent < response_count;) {
    ssize_t count = send(descriptor, response + sent, response_count - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += (size_t)count;
  }
}

static void serve(int descriptor) {
  connection *connection = connections[descriptor];
  ssize_t count = recv(
      descriptor, connection->bytes + connection->count, REQUEST_CAPACITY - connection->count, 0);
  if (count <= 0) {
    close(descriptor);
    free(connection);
    connections[descriptor] = NULL;
    return;
  }
  connection->count += (size_t)count;
  size_t length;
  while ((length = request_length(connection)) > 0) {
    write_all(descriptor);
    memmove(connection->bytes, connection->bytes + length, connection->count - length);
    connection->count -= length;
  }
}

static void watch(int epoll, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = descriptor}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  read_response(arguments[1]);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 512) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    return 1;
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  int epoll = epoll_create1(0);
  watch(epoll, listener);
  watch(epoll, STDIN_FILENO);
  for (;;) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int index = 0; index < ready; index++) {
      int descriptor = events[index].data.fd;
      if (descriptor == STDIN_FILENO) return 0;
      if (descriptor != listener) {
        serve(descriptor);
        continue;
      }
      int accepted = accept(listener, NULL, NULL);
      if (accepted < 0 || accepted >= MAXIMUM_DESCRIPTORS) continue;
      int yes = 1;
      setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      connections[accepted] = calloc(1, sizeof(connection));
      watch(epoll, accepted);
    }
  }
}
