#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first version with CURLOPT_PREREQFUNCTION. Without that, a request that must not be repeated could
// be: libcurl retries each on its own when a reused connection is closed.
enum { MINIMUM_MAJOR = 7, MINIMUM_MINOR = 80 };

// POSIX allows converting an object pointer of dlsym to a function pointer; ISO C does not, so it is
// copied.
static bool find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool find_all(void *handle, ccurl_library *library) {
  return find(handle, "curl_global_init", &library->global_init) &&
         find(handle, "curl_version", &library->version) &&
         find(handle, "curl_easy_init", &library->easy_init) &&
         find(handle, "curl_easy_setopt", &library->easy_setopt) &&
         find(handle, "curl_easy_getinfo", &library->easy_getinfo) &&
         find(handle, "curl_easy_pause", &library->easy_pause) &&
         find(handle, "curl_easy_send", &library->easy_send) &&
         find(handle, "curl_easy_recv", &library->easy_recv) &&
         find(handle, "curl_easy_cleanup", &library->easy_cleanup) &&
         find(handle, "curl_easy_strerror", &library->easy_strerror) &&
         find(handle, "curl_multi_init", &library->multi_init) &&
         find(handle, "curl_multi_setopt", &library->multi_setopt) &&
         find(handle, "curl_multi_add_handle", &library->multi_add_handle) &&
         find(handle, "curl_multi_remove_handle", &library->multi_remove_handle) &&
         find(handle, "curl_multi_socket_action", &library->multi_socket_action) &&
         find(handle, "curl_multi_info_read", &library->multi_info_read) &&
         find(handle, "curl_multi_cleanup", &library->multi_cleanup);
}

// Reads "libcurl/7.88.1 OpenSSL/3.0.19 …".
static bool is_recent(ccurl_library *library) {
  const char *text = library->version();
  int major = 0, minor = 0;
  if (text == NULL || sscanf(text, "libcurl/%d.%d", &major, &minor) != 2) return false;
  size_t length = strcspn(text += strlen("libcurl/"), " ");
  if (length >= sizeof library->version_text) length = sizeof library->version_text - 1;
  memcpy(library->version_text, text, length);
  return major > MINIMUM_MAJOR || (major == MINIMUM_MAJOR && minor >= MINIMUM_MINOR);
}

ccurl_library *ccurl_open_library(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return NULL;
  ccurl_library *library = calloc(1, sizeof *library);
  if (library != NULL && find_all(handle, library) && is_recent(library) &&
      library->global_init(GLOBAL_DEFAULT) == CODE_OK) {
    // A function of a library that libcurl itself needs.
    find(handle, "SSL_version", &library->tls_version);
    return library;
  }
  free(library);
  dlclose(handle);
  return NULL;
}

const char *ccurl_version(const ccurl_library *library) { return library->version_text; }
