// Preloaded into a program: names that end in `held.test` are not resolved until the file named by HELD_NAMES_UNTIL
// exists, and are unknown after that; see Tests/run names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int resolver(
    const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **list) {
  const char *file = getenv("HELD_NAMES_UNTIL");
  if (name != NULL && file != NULL && ends_with(name, "held.test")) {
    while (access(file, F_OK) != 0) usleep(1000);
    return EAI_NONAME;
  }
  resolver *real = (resolver *)dlsym(RTLD_NEXT, "getaddrinfo");
  return real(name, service, hints, list);
}
