#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "head.h"
#include "loop.h"

enum {
  MAXIMUM_HEAD_BYTES = 1 << 20,
  RECEIVE_BUFFER_BYTES = 64 << 10,
};

// MARK: What libcurl calls

// The form that libcurl passes: see curl_sockaddr in its documentation of CURLOPT_OPENSOCKETFUNCTION.
typedef struct {
  int family;
  int type;
  int protocol;
  unsigned length;
  struct sockaddr address;
} socket_address;

// A connection is being opened; waiting for one of the connections to the host has ended.
static void begin_connecting(ccurl_transfer *transfer) {
  if (transfer->connect_limit == 0 || transfer->connect_deadline != 0) return;
  transfer->connect_deadline = nanoseconds_now() + transfer->connect_limit;
  transfer_schedule(transfer);
}

// Whether libcurl is retrying the request on its own, and must not.
//
// On a new connection, it does so only after the server has reported that it has not processed the request
// (RFC 9113, section 8.7), or that it requires HTTP/1.1: such a request may be retried. Otherwise the
// connection failed, and the caller decides whether the request may be retried.
static bool stops_repeating(ccurl_transfer *transfer) {
  if (!transfer->is_prepared) return false;
  if (!transfer->uses_old_connection && !transfer->has_response_bytes) {
    transfer->is_prepared = false;
    return false;
  }
  transfer->was_stopped_repeating = true;
  return true;
}

static int on_resolver_start(void *resolver, void *reserved, void *context) {
  (void)resolver, (void)reserved;
  ccurl_transfer *transfer = context;
  if (stops_repeating(transfer)) return 1;
  transfer->is_resolving = true;
  begin_connecting(transfer);
  return 0;
}

static bool is_secure(const ccurl_transfer *transfer) {
  return strncasecmp(transfer->url, "https:", 6) == 0;
}

static int on_open_socket(void *context, int purpose, socket_address *address) {
  (void)purpose;
  ccurl_transfer *transfer = context;
  transfer->is_resolving = false;
  if (transfer->is_abandoned || stops_repeating(transfer)) return SOCKET_BAD;
  begin_connecting(transfer);
#ifdef SOCK_CLOEXEC
  int descriptor = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
#else
  int descriptor = socket(address->family, address->type, address->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
#endif
  if (descriptor >= 0) sockets_add(&transfer->loop->sockets, descriptor);
  return descriptor;
}

static int on_close_socket(void *context, int descriptor) {
  ccurl_loop *loop = context;
  sockets_remove(&loop->sockets, descriptor);
  return close(descriptor);
}

static bool uses_tls_1_3(const ccurl_transfer *transfer) {
  const ccurl_library *library = transfer->loop->library;
  tls_session *tls = NULL;
  return is_secure(transfer) && library->tls_version != NULL &&
         library->easy_getinfo(transfer->easy, INFO_TLS_SSL_PTR, &tls) == CODE_OK && tls != NULL &&
         tls->kind == TLS_OPENSSL && tls->session != NULL &&
         library->tls_version(tls->session) == TLS_1_3;
}

// There is a connection, and the request is about to be sent on it.
static int on_prerequest(
    void *context, char *remote, char *local, int remote_port, int local_port) {
  (void)local;
  ccurl_transfer *transfer = context;
  transfer->is_resolving = false;
  if (transfer->is_abandoned || stops_repeating(transfer)) return 1;
  ccurl_loop *loop = transfer->loop;
  const ccurl_library *library = loop->library;
  long connections = 0;
  library->easy_getinfo(transfer->easy, INFO_NUM_CONNECTS, &connections);
  transfer->uses_old_connection = connections == transfer->connection_count;
  transfer->connection_count = connections;
  transfer->endpoint = endpoint_make(remote, local_port, remote_port);
  if (!transfer->uses_old_connection) {
    transfer->uses_tls_1_3 = uses_tls_1_3(transfer);
    sockets_note_endpoint(&loop->sockets, &transfer->endpoint);
  } else if (sockets_discard_useless(&loop->sockets, &transfer->endpoint)) {
    transfer->failure = CCURL_STALE;
    return 1;
  }
  // In this order: a transfer that is abandoned now was either seen to be prepared or is not sent.
  transfer->is_prepared = true;
  if (atomic_load(&transfer->is_given_up)) {
    transfer->is_prepared = false;
    return 1;
  }
  transfer->connect_deadline = 0;
  transfer->last_activity = nanoseconds_now();
  // A proxy may have received a request of its own.
  library->easy_getinfo(transfer->easy, INFO_REQUEST_SIZE, &transfer->bytes_before_request);
  if (transfer->idle_limit != 0) transfer_schedule(transfer);
  return 0;
}

static size_t fail(ccurl_transfer *transfer, ccurl_status status) {
  transfer->failure = status;
  // A number other than that of the bytes ends the transfer.
  return 0;
}

static bool append_to_head(ccurl_transfer *transfer, const char *line, size_t count) {
  if (transfer->head_count + count > transfer->head_capacity) {
    size_t capacity = transfer->head_capacity * 2 + count + 1024;
    char *grown = realloc(transfer->head, capacity);
    if (grown == NULL) return false;
    transfer->head = grown;
    transfer->head_capacity = capacity;
  }
  memcpy(transfer->head + transfer->head_count, line, count);
  transfer->head_count += count;
  return true;
}

static size_t on_head_line(char *line, size_t size, size_t count, void *context) {
  ccurl_transfer *transfer = context;
  size_t byte_count = size * count;
  transfer->last_activity = transfer->loop->now;
  if (!transfer->has_response_bytes && !transfer->uses_old_connection && byte_count > 7 &&
      memcmp(line, "HTTP/1.", 7) == 0) {
    sockets_note_http1(&transfer->loop->sockets, &transfer->endpoint);
  }
  transfer->has_response_bytes = true;
  // Trailer fields.
  if (transfer->has_head) return byte_count;
  if (memchr(line, 0, byte_count) != NULL) return fail(transfer, CCURL_BAD_RESPONSE);
  if (transfer->head_count + byte_count > MAXIMUM_HEAD_BYTES) {
    return fail(transfer, CCURL_HEAD_TOO_LARGE);
  }
  if (!append_to_head(transfer, line, byte_count)) return fail(transfer, CCURL_NO_MEMORY);
  if (line[0] != '\n' && !(byte_count == 2 && line[0] == '\r')) return byte_count;
  int status = head_status(transfer->head, transfer->head_count);
  if (status < 0 || !head_has_clear_length(transfer->head, transfer->head_count)) {
    return fail(transfer, CCURL_BAD_RESPONSE);
  }
  if (status < 200) {
    // Interim responses (RFC 9110, section 15.2). No other protocol was asked for.
    if (status == 101) return fail(transfer, CCURL_BAD_RESPONSE);
    transfer->head_count = 0;
    return byte_count;
  }
  transfer->has_head = true;
  bool is_unlimited = transfer->events.on_head(
      transfer->context, status, transfer->head, transfer->head_count);
  if (is_unlimited) transfer->total_deadline = 0;
  return byte_count;
}

static size_t on_content(char *bytes, size_t size, size_t count, void *context) {
  ccurl_transfer *transfer = context;
  size_t byte_count = size * count;
  transfer->last_activity = transfer->loop->now;
  if (!transfer->has_head) return fail(transfer, CCURL_BAD_RESPONSE);
  switch (transfer->events.on_body(transfer->context, bytes, byte_count)) {
    case CCURL_TAKEN: return byte_count;
    case CCURL_LATER: transfer->is_paused = true; return PAUSE_WRITING;
    default: return fail(transfer, CCURL_CANCELLED);
  }
}

static size_t on_read(char *bytes, size_t size, size_t count, void *context) {
  ccurl_transfer *transfer = context;
  long long left = transfer->body_count - transfer->body_read;
  size_t capacity = size * count;
  if ((long long)capacity > left) capacity = (size_t)left;
  transfer->last_activity = transfer->loop->now;
  if (capacity == 0) return 0;
  if (transfer->body != NULL) {
    memcpy(bytes, transfer->body + transfer->body_read, capacity);
    transfer->body_read += (long long)capacity;
    return capacity;
  }
  long read = transfer->events.read_body(transfer->context, bytes, capacity);
  if (read == CCURL_READ_LATER) {
    transfer->is_paused = true;
    return PAUSE_READING;
  }
  if (read <= 0) {
    // A body that ends early cannot be completed.
    transfer->failure = CCURL_UNREADABLE;
    return ABORT_READING;
  }
  transfer->body_read += read;
  return (size_t)read;
}

// MARK: Options

// Sets an option unless an earlier one was refused.
#define SET(option, value) \
  if (*code == CODE_OK) *code = library->easy_setopt(easy, option, value)

static void set_trust(
    const ccurl_library *library, void *easy, const ccurl_settings *settings, int *code) {
  // Both are the defaults; a library that was built differently must not change the meaning of a request.
  SET(OPTION_SSL_VERIFYPEER, 1L);
  SET(OPTION_SSL_VERIFYHOST, 2L);
  if (settings->authorities != NULL || settings->authorities_text != NULL) {
    // Without a folder, which would be trusted in addition to the file.
    SET(OPTION_CAPATH, (char *)NULL);
  }
  if (settings->authorities != NULL) SET(OPTION_CAINFO, settings->authorities);
  if (settings->authorities_text != NULL) {
    blob text = {
        .bytes = (char *)settings->authorities_text,
        .count = strlen(settings->authorities_text),
    };
    SET(OPTION_CAINFO_BLOB, &text);
  }
  if (settings->certificate != NULL) SET(OPTION_SSLCERT, settings->certificate);
  if (settings->key != NULL) SET(OPTION_SSLKEY, settings->key);
  if (settings->key_password != NULL) SET(OPTION_KEYPASSWD, settings->key_password);
}

// A new handle with the options that all transfers of the loop share; NULL if libcurl refuses one; `*code`
// is the reason.
static void *make_handle(const ccurl_loop *loop, int *code) {
  const ccurl_library *library = loop->library;
  void *easy = library->easy_init();
  *code = easy == NULL ? CODE_OUT_OF_MEMORY : CODE_OK;
  if (easy == NULL) return NULL;
  set_trust(library, easy, &loop->settings, code);
  if (loop->settings.unix_socket != NULL) {
    SET(OPTION_UNIX_SOCKET_PATH, loop->settings.unix_socket);
    // Such a socket has no port by which sockets.c could find it again, and connects immediately.
    SET(OPTION_FORBID_REUSE, 1L);
  }
  SET(OPTION_PROTOCOLS, (long)PROTOCOL_HTTP_AND_HTTPS);
  // A library without HTTP/2 refuses this option, and uses HTTP/1.1.
  library->easy_setopt(easy, OPTION_HTTP_VERSION, (long)HTTP_VERSION_2_OVER_TLS);
  SET(OPTION_HTTP09_ALLOWED, 0L);
  SET(OPTION_SUPPRESS_CONNECT_HEADERS, 1L);
  SET(OPTION_NOSIGNAL, 1L);
  SET(OPTION_TCP_NODELAY, 1L);
  SET(OPTION_TCP_KEEPALIVE, 1L);
  SET(OPTION_BUFFERSIZE, (long)RECEIVE_BUFFER_BYTES);
  // All codings that the library can decode.
  SET(OPTION_ACCEPT_ENCODING, "");
  SET(OPTION_RESOLVER_START_FUNCTION, on_resolver_start);
  SET(OPTION_OPENSOCKETFUNCTION, on_open_socket);
  SET(OPTION_CLOSESOCKETFUNCTION, on_close_socket);
  SET(OPTION_CLOSESOCKETDATA, loop);
  SET(OPTION_PREREQFUNCTION, on_prerequest);
  SET(OPTION_HEADERFUNCTION, on_head_line);
  SET(OPTION_WRITEFUNCTION, on_content);
  SET(OPTION_READFUNCTION, on_read);
  if (*code == CODE_OK) return easy;
  library->easy_cleanup(easy);
  return NULL;
}

static void set_request(
    const ccurl_library *library, void *easy, const ccurl_transfer *transfer, int *code) {
  SET(OPTION_HTTPHEADER, transfer->headers);
  // Waits until the first secure connection has negotiated whether it carries several requests at a time.
  // An insecure one would only show that with its first response.
  SET(OPTION_PIPEWAIT, is_secure(transfer) ? 1L : 0L);
  SET(OPTION_FRESH_CONNECT, transfer->needs_new_connection ? 1L : 0L);
  if (!transfer->is_post) {
    SET(OPTION_HTTPGET, 1L);
    return;
  }
  SET(OPTION_POST, 1L);
  SET(OPTION_POSTFIELDSIZE_LARGE, transfer->body_count);
  // A body that libcurl would send in one piece with the head is passed at once. Longer bodies are read by
  // a function, which detects that bytes are sent.
  bool is_short = transfer->body_count <= 64 << 10 && transfer->body != NULL;
  SET(OPTION_POSTFIELDS, is_short ? transfer->body : NULL);
}

bool transfer_prepare(ccurl_transfer *transfer, int *code) {
  ccurl_loop *loop = transfer->loop;
  const ccurl_library *library = loop->library;
  bool has_idle = !transfer->is_connection && loop->idle_handle_count > 0;
  *code = CODE_OK;
  void *easy = has_idle ? loop->idle_handles[--loop->idle_handle_count] : make_handle(loop, code);
  transfer->easy = easy;
  SET(OPTION_URL, transfer->url);
  // The loop's own deadline is earlier. libcurl divides its time among the addresses of a host.
  long long milliseconds = transfer->connect_limit / 1000000 + 1000;
  SET(OPTION_CONNECTTIMEOUT_MS,
      transfer->connect_limit == 0 ? NO_CONNECT_MILLISECONDS : (long)milliseconds);
  SET(OPTION_ERRORBUFFER, transfer->message);
  SET(OPTION_PRIVATE, transfer);
  SET(OPTION_RESOLVER_START_DATA, transfer);
  SET(OPTION_OPENSOCKETDATA, transfer);
  SET(OPTION_PREREQDATA, transfer);
  SET(OPTION_HEADERDATA, transfer);
  SET(OPTION_WRITEDATA, transfer);
  SET(OPTION_READDATA, transfer);
  if (transfer->is_connection) {
    SET(OPTION_CONNECT_ONLY, 1L);
    // Otherwise TLS negotiates HTTP/2, which has another handshake for web sockets.
    SET(OPTION_HTTP_VERSION, (long)HTTP_VERSION_1_1);
    SET(OPTION_HTTPPROXYTUNNEL, 1L);
  } else if (*code == CODE_OK) {
    set_request(library, easy, transfer, code);
  }
  return *code == CODE_OK;
}

// MARK: Deadlines

void transfer_schedule(ccurl_transfer *transfer) {
  int64_t next = INT64_MAX;
  if (transfer->total_deadline != 0) next = transfer->total_deadline;
  if (transfer->connect_deadline != 0 && transfer->connect_deadline < next) {
    next = transfer->connect_deadline;
  }
  if (transfer->turn_deadline != 0 && transfer->turn_deadline < next) {
    next = transfer->turn_deadline;
  }
  if (transfer->idle_limit != 0 && transfer->is_prepared && !transfer->is_paused) {
    int64_t idle = transfer->last_activity + transfer->idle_limit;
    if (idle < next) next = idle;
  }
  if (next == INT64_MAX || transfer->is_ended) {
    deadlines_remove(&transfer->loop->deadlines, &transfer->deadline);
  } else if (transfer->deadline.index < 0 || transfer->deadline.time != next) {
    deadlines_set(&transfer->loop->deadlines, &transfer->deadline, next);
  }
}

// MARK: Transfers

static int64_t nanoseconds(long long milliseconds) {
  // A time so far in the future is never reached.
  return milliseconds > 0 && milliseconds < 1LL << 40 ? milliseconds * 1000000 : 0;
}

// The header fields in libcurl's form, in existing memory: `lines` and `text`.
static header_line *make_headers(header_line *lines, char *text) {
  header_line *first = NULL, **end = &first;
  for (char *line; text != NULL && (line = strsep(&text, "\n")) != NULL;) {
    if (*line == 0) continue;
    *lines = (header_line){.text = line};
    *end = lines;
    end = &lines++->next;
  }
  return first;
}

static size_t count_lines(const char *text) {
  size_t count = 1;
  for (; *text != 0; text++) count += *text == '\n';
  return count;
}

static ccurl_transfer *make(ccurl_loop *loop, size_t extra) {
  ccurl_transfer *transfer = malloc(sizeof *transfer + extra);
  if (transfer == NULL) return NULL;
  memset(transfer, 0, sizeof *transfer);
  transfer->loop = loop;
  transfer->start = nanoseconds_now();
  transfer->deadline.index = -1;
  // The caller's reference and the loop's.
  atomic_init(&transfer->references, 2);
  return transfer;
}

ccurl_transfer *ccurl_send_request(
    ccurl_loop *loop, const ccurl_request *request, const ccurl_events *events, void *context) {
  size_t line_bytes = count_lines(request->headers) * sizeof(header_line);
  size_t header_bytes = strlen(request->headers) + 1;
  size_t url_bytes = strlen(request->url) + 1;
  size_t body_bytes = request->body == NULL ? 0 : (size_t)request->body_count;
  ccurl_transfer *transfer = make(loop, line_bytes + header_bytes + url_bytes + body_bytes);
  if (transfer == NULL) return NULL;
  char *memory = (char *)(transfer + 1);
  char *headers = memory + line_bytes;
  memcpy(headers, request->headers, header_bytes);
  transfer->headers = make_headers((header_line *)memory, headers);
  transfer->url = memcpy(headers + header_bytes, request->url, url_bytes);
  if (request->body != NULL) {
    transfer->body = memcpy(headers + header_bytes + url_bytes, request->body, body_bytes);
  }
  transfer->events = *events;
  transfer->context = context;
  transfer->is_post = request->is_post;
  transfer->needs_new_connection = request->needs_new_connection;
  transfer->body_count = request->body_count;
  transfer->connect_limit = nanoseconds(request->connect_milliseconds);
  transfer->idle_limit = nanoseconds(request->idle_milliseconds);
  int64_t limit = nanoseconds(request->milliseconds);
  if (limit != 0) transfer->total_deadline = transfer->start + limit;
  loop_start(transfer);
  return transfer;
}

ccurl_transfer *ccurl_connect(
    ccurl_loop *loop, const char *url, long long connect_milliseconds,
    const ccurl_connection_events *events, void *context) {
  size_t url_bytes = strlen(url) + 1;
  ccurl_transfer *connection = make(loop, url_bytes);
  if (connection == NULL) return NULL;
  connection->url = memcpy(connection + 1, url, url_bytes);
  connection->is_connection = true;
  connection->connection_events = *events;
  connection->context = context;
  connection->connect_limit = nanoseconds(connect_milliseconds);
  loop_start(connection);
  return connection;
}

// MARK: Connections

static ccurl_status moved(ccurl_transfer *connection, int code) {
  if (code == CODE_OK) return CCURL_OK;
  if (code == CODE_AGAIN) return CCURL_AGAIN;
  if (connection->message[0] == 0) {
    const char *text = connection->loop->library->easy_strerror(code);
    strncpy(connection->message, text == NULL ? "" : text, ERROR_SIZE - 1);
  }
  return CCURL_LOST;
}

ccurl_status ccurl_write(
    ccurl_transfer *connection, const void *bytes, size_t count, size_t *written) {
  *written = 0;
  return moved(
      connection,
      connection->loop->library->easy_send(connection->easy, bytes, count, written));
}

ccurl_status ccurl_read(
    ccurl_transfer *connection, void *bytes, size_t capacity, size_t *received) {
  *received = 0;
  int code = connection->loop->library->easy_recv(connection->easy, bytes, capacity, received);
  return code == CODE_OK && *received == 0 ? CCURL_END : moved(connection, code);
}
