#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// POSIX lets an object pointer of dlsym become a function pointer; ISO C does not, so it is copied.
static bool find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

ccurl_library *ccurl_open_library(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return NULL;
  ccurl_library *library = calloc(1, sizeof *library);
  if (library != NULL && find(handle, "curl_global_init", &library->global_init) &&
      find(handle, "curl_easy_init", &library->easy_init) &&
      find(handle, "curl_easy_setopt", &library->easy_setopt) &&
      find(handle, "curl_easy_perform", &library->easy_perform) &&
      find(handle, "curl_easy_getinfo", &library->easy_getinfo) &&
      find(handle, "curl_easy_send", &library->easy_send) &&
      find(handle, "curl_easy_recv", &library->easy_recv) &&
      find(handle, "curl_easy_cleanup", &library->easy_cleanup) &&
      find(handle, "curl_slist_append", &library->slist_append) &&
      find(handle, "curl_slist_free_all", &library->slist_free_all) &&
      find(handle, "curl_easy_strerror", &library->easy_strerror) &&
      library->global_init(GLOBAL_DEFAULT) == CODE_OK) {
    return library;
  }
  free(library);
  dlclose(handle);
  return NULL;
}

void ccurl_block_sigpipe(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

ccurl_status ccurl_status_of(int code, ccurl_status otherwise) {
  switch (code) {
    case CODE_UNSUPPORTED_PROTOCOL:
    case CODE_URL_MALFORMAT: return CCURL_INVALID;
    case CODE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CODE_ABORTED_BY_CALLBACK: return CCURL_CANCELLED;
    case CODE_SSL_CONNECT_ERROR:
    case CODE_PEER_FAILED_VERIFICATION:
    // Engines, ciphers, certificates, their authorities and revocation.
    case 53: case 54: case 58: case 59: case 64: case 66: case 77: case 80: case 82: case 83:
    case 90: case 91: case 98: return CCURL_TLS;
    default: return otherwise;
  }
}
