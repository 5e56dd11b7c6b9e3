#include "library.h"

#include <stdlib.h>
#include <string.h>

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  const ccurl_receiver *receiver = context;
  // Another number than that of the bytes ends the transfer.
  return receiver->receive(receiver->context, bytes, size * count) ? size * count : 0;
}

// The headers in libcurl's form, in *list; false without memory.
static bool make_list(const ccurl_library *library, const char *headers, void **list) {
  *list = NULL;
  char *lines = strdup(headers);
  char *rest = lines;
  bool is_complete = lines != NULL;
  for (char *line; is_complete && (line = strsep(&rest, "\n")) != NULL;) {
    void *longer = library->slist_append(*list, line);
    is_complete = longer != NULL;
    if (is_complete) *list = longer;
  }
  free(lines);
  return is_complete;
}

static int set_options(
    const ccurl_library *library, void *easy, const ccurl_post_request *request, void *headers,
    const ccurl_receiver *receiver) {
  int code = library->easy_setopt(easy, OPTION_URL, request->url);
  // Both are the defaults; a library built otherwise must not change what this request means.
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_SSL_VERIFYPEER, 1L);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_SSL_VERIFYHOST, 2L);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_NOSIGNAL, 1L);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_TIMEOUT_MS, request->milliseconds);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_POST, 1L);
  if (code == CODE_OK) {
    code = library->easy_setopt(easy, OPTION_POSTFIELDSIZE_LARGE, (long long)request->body_count);
  }
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_POSTFIELDS, request->body);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_HTTPHEADER, headers);
  // Whatever the library can decode.
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_ACCEPT_ENCODING, "");
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_WRITEFUNCTION, on_body);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_WRITEDATA, receiver);
  return code;
}

static ccurl_status status_of(int code) {
  switch (code) {
    case CODE_COULDNT_RESOLVE_PROXY:
    case CODE_COULDNT_RESOLVE_HOST: return CCURL_UNKNOWN_HOST;
    case CODE_COULDNT_CONNECT: return CCURL_CANNOT_CONNECT;
    case CODE_WRITE_ERROR: return CCURL_CANCELLED;
    default: return ccurl_status_of(code, CCURL_LOST);
  }
}

static char *text(const ccurl_library *library, void *easy, int info) {
  char *text = NULL;
  library->easy_getinfo(easy, info, &text);
  return text == NULL ? NULL : strdup(text);
}

ccurl_status ccurl_post(
    const ccurl_library *library, const ccurl_post_request *request,
    const ccurl_receiver *receiver, ccurl_answer *answer) {
  memset(answer, 0, sizeof *answer);
  ccurl_block_sigpipe();
  ccurl_status status = CCURL_CANNOT_CONNECT;
  void *headers;
  bool has_headers = make_list(library, request->headers, &headers);
  void *easy = library->easy_init();
  if (has_headers && easy != NULL) {
    int code = set_options(library, easy, request, headers, receiver);
    if (code == CODE_OK) code = library->easy_perform(easy);
    status = code == CODE_OK ? CCURL_OK : status_of(code);
  }
  if (status == CCURL_OK) {
    library->easy_getinfo(easy, INFO_RESPONSE_CODE, &answer->status);
    answer->content_type = text(library, easy, INFO_CONTENT_TYPE);
    answer->location = text(library, easy, INFO_REDIRECT_URL);
  }
  if (easy != NULL) library->easy_cleanup(easy);
  library->slist_free_all(headers);
  return status;
}

void ccurl_clear(ccurl_answer *answer) {
  free(answer->content_type);
  free(answer->location);
  *answer = (ccurl_answer){0};
}
