#ifndef CCURLEASY_H
#define CCURLEASY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Only a header: SwiftPM would compile C files of the plugins' tool, and then the tool, whenever a file is added to a
// target with the plugin.

// The part of libcurl's interface that is used. The numbers belong to its binary interface, which has not changed since
// the library has the name libcurl.so.4.
enum {
  CCURL_OPTION_POST = 47,
  CCURL_OPTION_TIMEOUT_MS = 155,
  CCURL_OPTION_PROTOCOLS = 181,
  CCURL_OPTION_HTTP09_ALLOWED = 285,
  CCURL_OPTION_WRITEDATA = 10001,
  CCURL_OPTION_URL = 10002,
  CCURL_OPTION_POSTFIELDS = 10015,
  CCURL_OPTION_HTTPHEADER = 10023,
  CCURL_OPTION_ACCEPT_ENCODING = 10102,
  CCURL_OPTION_WRITEFUNCTION = 20011,
  CCURL_OPTION_POSTFIELDSIZE_LARGE = 30120,

  CCURL_PROTOCOL_HTTP_AND_HTTPS = 3,

  CCURL_INFO_CONTENT_TYPE = 0x100000 + 18,
  CCURL_INFO_REDIRECT_URL = 0x100000 + 31,
  CCURL_INFO_RESPONSE_CODE = 0x200000 + 2,
  CCURL_INFO_PROXY_RESPONSE_CODE = 0x200000 + 22,
};

/// libcurl, opened at run time: building needs neither its headers nor the library.
typedef struct {
  void *(*init)(void);
  int (*set_option)(void *, int, ...);
  int (*perform)(void *);
  int (*get_info)(void *, int, ...);
  void (*cleanup)(void *);
  void *(*append_header)(void *, const char *);
  void (*free_headers)(void *);
} ccurl_easy_library;

/// Receives bytes of the body; another number than that of the bytes ends the transfer.
typedef size_t (*ccurl_easy_write)(char *bytes, size_t size, size_t count, void *context);

// POSIX allows converting an object pointer of dlsym to a function pointer; ISO C does not, so it is copied.
static inline bool ccurl_easy_find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

/// Opens the library of that file name; false if there is none. It stays open for the life of the process.
static inline bool ccurl_easy_open(const char *name, ccurl_easy_library *library) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  return handle != NULL && ccurl_easy_find(handle, "curl_easy_init", &library->init) &&
         ccurl_easy_find(handle, "curl_easy_setopt", &library->set_option) &&
         ccurl_easy_find(handle, "curl_easy_perform", &library->perform) &&
         ccurl_easy_find(handle, "curl_easy_getinfo", &library->get_info) &&
         ccurl_easy_find(handle, "curl_easy_cleanup", &library->cleanup) &&
         ccurl_easy_find(handle, "curl_slist_append", &library->append_header) &&
         ccurl_easy_find(handle, "curl_slist_free_all", &library->free_headers);
}

// Swift cannot call functions with variable arguments.

static inline void ccurl_easy_set_long(
    const ccurl_easy_library *library, void *easy, int option, long value) {
  library->set_option(easy, option, value);
}

static inline void ccurl_easy_set_offset(
    const ccurl_easy_library *library, void *easy, int option, long long value) {
  library->set_option(easy, option, value);
}

static inline void ccurl_easy_set_pointer(
    const ccurl_easy_library *library, void *easy, int option, const void *value) {
  library->set_option(easy, option, value);
}

static inline void ccurl_easy_set_write(
    const ccurl_easy_library *library, void *easy, ccurl_easy_write function, void *context) {
  library->set_option(easy, CCURL_OPTION_WRITEFUNCTION, function);
  library->set_option(easy, CCURL_OPTION_WRITEDATA, context);
}

/// A number about the response; 0 if there is none.
static inline long ccurl_easy_number(const ccurl_easy_library *library, void *easy, int info) {
  long number = 0;
  library->get_info(easy, info, &number);
  return number;
}

/// A text about the response, which belongs to `easy`; NULL if there is none.
static inline const char *ccurl_easy_text(const ccurl_easy_library *library, void *easy, int info) {
  char *text = NULL;
  library->get_info(easy, info, &text);
  return text;
}

#endif
