// The time of a GET with hiredis alone, for comparison. Usage: bare-get SOCKET KEY COUNT
//
// hiredis is opened at run time, as by the library. It prints the median in nanoseconds.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *load(const char *name) {
  static const char *const names[] = {
      "libhiredis.so.1.3.0", "libhiredis.so.1.2.0", "libhiredis.so.1.1.0", "libhiredis.so.1.0.0",
      "libhiredis.so.0.14", "libhiredis.so"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *handle = dlopen(names[index], RTLD_NOW);
    if (handle != NULL) return dlsym(handle, name);
  }
  return NULL;
}

static int compare(const void *left, const void *right) {
  long long a = *(const long long *)left, b = *(const long long *)right;
  return (a > b) - (a < b);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  void *(*connect)(const char *) = load("redisConnectUnix");
  void *(*command)(void *, const char *, ...) = load("redisCommand");
  void (*release)(void *) = load("freeReplyObject");
  if (connect == NULL || command == NULL || release == NULL) return 2;
  void *connection = connect(arguments[1]);
  int rounds = atoi(arguments[3]);
  long long *times = calloc((size_t)rounds, sizeof *times);
  if (connection == NULL || times == NULL) return 1;
  for (int round = 0; round < rounds; round++) {
    long long start = now();
    void *value = command(connection, "GET %s", arguments[2]);
    times[round] = now() - start;
    // The first member is the kind: 1 is a string.
    if (value == NULL || *(int *)value != 1) return 1;
    release(value);
  }
  qsort(times, (size_t)rounds, sizeof *times, compare);
  printf("%lld\n", times[rounds / 2]);
  return 0;
}
