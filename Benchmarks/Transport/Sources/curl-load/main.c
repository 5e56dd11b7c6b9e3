// Repeats the same POST over libcurl's multi interface with its socket and timer callbacks, with the given
// number of concurrent requests, and prints the cost of one.
//
// Usage: curl-load PORT WIDTH COUNT FILE
// FILE contains the body of the request. Prints nanoseconds of time and of processor time per request.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static int epoll;
static long timer = -1;
static size_t received;
// The body of a response, as a program would collect it.
static char content[1 << 22];

static int on_socket(CURL *easy, curl_socket_t descriptor, int what, void *context, void *data) {
  (void)easy, (void)context, (void)data;
  struct epoll_event event = {
      .events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u),
      .data = {.fd = descriptor},
  };
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
  } else if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) != 0) {
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  }
  return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *context) {
  (void)multi, (void)context;
  timer = milliseconds;
  return 0;
}

static size_t on_content(char *bytes, size_t size, size_t count, void *context) {
  size_t *length = context;
  if (*length + size * count > sizeof content) return 0;
  memcpy(content + *length, bytes, size * count);
  *length += size * count;
  return size * count;
}

static long long nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static char *read_file(const char *path, long *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) exit(2);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)*size + 1);
  if (fread(bytes, 1, (size_t)*size, file) != (size_t)*size) exit(2);
  fclose(file);
  return bytes;
}

static void turn(CURLM *multi) {
  struct epoll_event events[64];
  int running;
  int ready = epoll_wait(epoll, events, 64, (int)timer);
  if (ready == 0) {
    timer = -1;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  for (int index = 0; index < ready; index++) {
    unsigned flags = events[index].events;
    int action = (flags & EPOLLIN ? CURL_CSELECT_IN : 0) |
                 (flags & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                 (flags & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    curl_multi_socket_action(multi, events[index].data.fd, action, &running);
  }
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  int width = atoi(arguments[2]), total = atoi(arguments[3]), warm = total / 10 + width;
  long body_size;
  char *body = read_file(arguments[4], &body_size);
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%s/graphql", arguments[1]);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  epoll = epoll_create1(0);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 16L);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 64L);
  struct curl_slist *headers = NULL;
  headers = curl_slist_append(headers, "Content-Type: application/json");
  headers = curl_slist_append(
      headers, "Accept: application/graphql-response+json, application/json;q=0.9");
  headers = curl_slist_append(headers, "User-Agent: Treeswift");
  headers = curl_slist_append(headers, "Expect:");
  size_t *lengths = calloc((size_t)width, sizeof *lengths);
  for (int index = 0; index < width; index++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, body_size);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_content);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &lengths[index]);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &lengths[index]);
    curl_multi_add_handle(multi, easy);
  }
  int done = 0;
  long long wall = 0, processor = 0;
  while (done < warm + total) {
    turn(multi);
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
      if (message->data.result != CURLE_OK) {
        fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
        return 1;
      }
      size_t *length;
      CURL *easy = message->easy_handle;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &length);
      received += *length;
      *length = 0;
      if (++done == warm) {
        wall = nanoseconds(CLOCK_MONOTONIC);
        processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
      }
      curl_multi_remove_handle(multi, easy);
      curl_multi_add_handle(multi, easy);
    }
  }
  wall = nanoseconds(CLOCK_MONOTONIC) - wall;
  processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  printf("%lld %lld\n", wall / total, processor / total);
  return received == 0;
}
