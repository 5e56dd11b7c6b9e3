#include "CCurl.h"
#include "library.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ccurl_connection {
  const ccurl_library *library;
  void *easy;
  int socket;
  int wake_reader;
  int wake_writer;
  atomic_bool is_cancelled;
  char message[ERROR_SIZE];
};

static bool make_pipe(ccurl_connection *connection) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  for (int index = 0; index < 2; index++) {
    fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    fcntl(ends[index], F_SETFL, O_NONBLOCK);
  }
  connection->wake_reader = ends[0];
  connection->wake_writer = ends[1];
  return true;
}

ccurl_connection *ccurl_make(const ccurl_library *library) {
  ccurl_connection *connection = calloc(1, sizeof *connection);
  if (connection == NULL) return NULL;
  connection->library = library;
  connection->socket = -1;
  atomic_init(&connection->is_cancelled, false);
  if (!make_pipe(connection)) {
    free(connection);
    return NULL;
  }
  return connection;
}

static int on_progress(
    void *context, long long down, long long downloaded, long long up, long long uploaded) {
  (void)down, (void)downloaded, (void)up, (void)uploaded;
  ccurl_connection *connection = context;
  return atomic_load(&connection->is_cancelled) ? 1 : 0;
}

static ccurl_status failed(ccurl_connection *connection, int code, ccurl_status otherwise) {
  if (connection->message[0] == 0) {
    const char *text = connection->library->easy_strerror(code);
    strncpy(connection->message, text == NULL ? "" : text, ERROR_SIZE - 1);
  }
  return ccurl_status_of(code, otherwise);
}

ccurl_status ccurl_connect(
    ccurl_connection *connection, const char *url, const char *authorities) {
  const ccurl_library *library = connection->library;
  ccurl_block_sigpipe();
  if (atomic_load(&connection->is_cancelled)) return CCURL_CANCELLED;
  void *easy = library->easy_init();
  if (easy == NULL) {
    strncpy(connection->message, "libcurl has no memory", ERROR_SIZE - 1);
    return CCURL_CANNOT_CONNECT;
  }
  connection->easy = easy;
  int code = library->easy_setopt(easy, OPTION_URL, url);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_CONNECT_ONLY, 1L);
  // Both are the defaults; a library built otherwise must not change what this connection means.
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_SSL_VERIFYPEER, 1L);
  if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_SSL_VERIFYHOST, 2L);
  if (authorities != NULL) {
    // Without a folder, which would be trusted beside the file.
    if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_CAPATH, (char *)NULL);
    if (code == CODE_OK) code = library->easy_setopt(easy, OPTION_CAINFO, authorities);
    if (code != CODE_OK) return failed(connection, code, CCURL_TLS);
  }
  if (code != CODE_OK) return failed(connection, code, CCURL_CANNOT_CONNECT);
  library->easy_setopt(easy, OPTION_ERRORBUFFER, connection->message);
  library->easy_setopt(easy, OPTION_NOSIGNAL, 1L);
  library->easy_setopt(easy, OPTION_TCP_NODELAY, 1L);
  // TLS negotiates HTTP/2 otherwise, over which the handshake is another.
  library->easy_setopt(easy, OPTION_HTTP_VERSION, (long)HTTP_VERSION_1_1);
  library->easy_setopt(easy, OPTION_HTTPPROXYTUNNEL, 1L);
  library->easy_setopt(easy, OPTION_XFERINFOFUNCTION, on_progress);
  library->easy_setopt(easy, OPTION_XFERINFODATA, connection);
  library->easy_setopt(easy, OPTION_NOPROGRESS, 0L);
  code = library->easy_perform(easy);
  if (code != CODE_OK) return failed(connection, code, CCURL_CANNOT_CONNECT);
  code = library->easy_getinfo(easy, INFO_ACTIVESOCKET, &connection->socket);
  if (code != CODE_OK) return failed(connection, code, CCURL_CANNOT_CONNECT);
  return connection->socket < 0 ? CCURL_CANNOT_CONNECT : CCURL_OK;
}

ccurl_status ccurl_send(
    ccurl_connection *connection, const void *bytes, size_t count, size_t *sent) {
  *sent = 0;
  connection->message[0] = 0;
  int code = connection->library->easy_send(connection->easy, bytes, count, sent);
  if (code == CODE_OK) return CCURL_OK;
  return code == CODE_AGAIN ? CCURL_AGAIN : failed(connection, code, CCURL_LOST);
}

ccurl_status ccurl_receive(
    ccurl_connection *connection, void *bytes, size_t capacity, size_t *received) {
  *received = 0;
  connection->message[0] = 0;
  int code = connection->library->easy_recv(connection->easy, bytes, capacity, received);
  if (code == CODE_OK) return *received == 0 ? CCURL_END : CCURL_OK;
  return code == CODE_AGAIN ? CCURL_AGAIN : failed(connection, code, CCURL_LOST);
}

void ccurl_wait(ccurl_connection *connection, bool reads, bool writes, int milliseconds) {
  if (atomic_load(&connection->is_cancelled)) return;
  struct pollfd polled[2] = {
      {.fd = connection->wake_reader, .events = POLLIN},
      // A negative descriptor is left out: one that nobody waits for would still report a hang-up.
      {.fd = reads || writes ? connection->socket : -1,
       .events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))},
  };
  if (poll(polled, 2, milliseconds) <= 0 || polled[0].revents == 0) return;
  char bytes[64];
  while (read(connection->wake_reader, bytes, sizeof bytes) > 0) {}
}

void ccurl_wake(ccurl_connection *connection) {
  // A full pipe wakes as well.
  ssize_t ignored = write(connection->wake_writer, "", 1);
  (void)ignored;
}

void ccurl_cancel(ccurl_connection *connection) {
  atomic_store(&connection->is_cancelled, true);
  ccurl_wake(connection);
}

const char *ccurl_message(const ccurl_connection *connection) { return connection->message; }

void ccurl_close(ccurl_connection *connection) {
  if (connection->easy != NULL) connection->library->easy_cleanup(connection->easy);
  close(connection->wake_reader);
  close(connection->wake_writer);
  free(connection);
}
