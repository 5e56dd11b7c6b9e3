#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

/// libcurl, opened at run time: building needs neither its headers nor the library.
typedef struct ccurl_library ccurl_library;

/// Opens the library of that file name. It stays open for the life of the process.
///
/// - Returns: NULL if there is none, if it lacks a function, or if it is older than 7.80.
ccurl_library *ccurl_open_library(const char *name);

/// The library's version, such as "7.88.1".
const char *ccurl_version(const ccurl_library *library);

/// One thread that runs transfers, with the connections that they share.
typedef struct ccurl_loop ccurl_loop;

/// The settings that all transfers of a loop share. Texts may be NULL.
typedef struct {
  /// Maximum number of connections to one host; further transfers wait for one of them.
  long connections_per_host;
  /// Connections that are kept open without a transfer.
  long idle_connections;
  /// The path of a Unix domain socket to which the loop connects instead of the host.
  const char *unix_socket;
  /// The path of a PEM file with the authorities that replace the system's.
  const char *authorities;
  /// PEM text with the authorities that replace the system's.
  const char *authorities_text;
  /// The path of a PEM file with the client's certificate.
  const char *certificate;
  /// The path of a PEM file with the key of the client's certificate.
  const char *key;
  const char *key_password;
} ccurl_settings;

/// Starts a loop; NULL if memory, descriptors or threads are exhausted.
ccurl_loop *ccurl_loop_start(const ccurl_library *library, const ccurl_settings *settings);

/// Whether the thread has been busy for so long that it may have missed deadlines of transfers. If a server
/// keeps it busy, the connection is reset.
///
/// Must be called four times a second while there are transfers, by one thread at a time.
bool ccurl_loop_is_late(ccurl_loop *loop);

/// Ends the loop and frees it. All transfers must have been released before. Returns at once; the thread
/// closes the connections.
void ccurl_loop_stop(ccurl_loop *loop);

/// One request and its response, or one connection.
///
/// The functions of a transfer may be called from any thread until it is released, unless stated otherwise.
typedef struct ccurl_transfer ccurl_transfer;

typedef enum {
  CCURL_OK = 0,
  /// Nothing can be sent or received at the moment.
  CCURL_AGAIN,
  /// The other side has closed the connection properly.
  CCURL_END,
  /// The address is unusable.
  CCURL_INVALID,
  /// The name of the host cannot be resolved.
  CCURL_UNKNOWN_HOST,
  /// No connection could be opened.
  CCURL_CANNOT_CONNECT,
  /// The proxy's name cannot be resolved, or the proxy refuses.
  CCURL_PROXY,
  /// The secure connection could not be established.
  CCURL_TLS,
  /// The certificate of the server was refused.
  CCURL_CERTIFICATE,
  CCURL_CONNECT_TIMED_OUT,
  CCURL_TIMED_OUT,
  CCURL_SILENT,
  CCURL_CANCELLED,
  /// The connection failed.
  CCURL_LOST,
  /// A reused connection failed before a byte of the response arrived.
  CCURL_STALE,
  /// The response is not HTTP.
  CCURL_BAD_RESPONSE,
  /// The content of the response cannot be decoded.
  CCURL_BAD_ENCODING,
  /// The head of the response has more bytes than the limit.
  CCURL_HEAD_TOO_LARGE,
  /// The body of the request could not be read.
  CCURL_UNREADABLE,
  CCURL_NO_MEMORY,
  /// The library was built without a feature that the settings need.
  CCURL_UNSUPPORTED,
} ccurl_status;

/// How a transfer ended.
typedef struct {
  ccurl_status status;
  /// Whether the server may have received a part of the request.
  bool was_sent;
  /// libcurl's message for a failure; may be empty.
  const char *message;
} ccurl_end;

typedef enum {
  /// The bytes were accepted.
  CCURL_TAKEN,
  /// The same bytes must be passed again after `ccurl_resume`.
  CCURL_LATER,
  /// The transfer must end.
  CCURL_STOP,
} ccurl_flow;

enum {
  /// Nothing can be read at the moment: `ccurl_resume` follows.
  CCURL_READ_LATER = -1,
  CCURL_READ_FAILED = -2,
};

/// The callbacks of a transfer, on the thread of its loop. None may block.
typedef struct {
  /// The final head of a response, from its status line to the empty line.
  ///
  /// - Returns: whether the time of the whole transfer is unlimited from now on.
  bool (*on_head)(void *context, int status, const char *head, size_t count);
  /// Content of the response, decoded.
  ccurl_flow (*on_body)(void *context, const void *bytes, size_t count);
  /// Reads the next bytes of the request's body.
  ///
  /// - Returns: the number of bytes, or one of the negative numbers above.
  long (*read_body)(void *context, void *bytes, size_t capacity);
  /// The last call, which is always made.
  void (*on_end)(void *context, const ccurl_end *end);
} ccurl_events;

/// Texts and bytes are copied.
typedef struct {
  const char *url;
  /// A line each: `Name: value`, `Name;` if the value is empty, or `Name:` for one that libcurl must leave
  /// out.
  const char *headers;
  bool is_post;
  const void *body;
  /// The number of bytes in `body`, or that `read_body` will return if `body` is NULL.
  long long body_count;
  /// Whether a reused connection is not allowed.
  bool needs_new_connection;
  /// Milliseconds until there is a connection, from the start of connecting; 0 means no limit.
  long long connect_milliseconds;
  /// Milliseconds until the response is complete.
  long long milliseconds;
  /// Milliseconds of idle time once there is a connection.
  long long idle_milliseconds;
} ccurl_request;

/// Starts a request; NULL if memory is exhausted.
ccurl_transfer *ccurl_send_request(
    ccurl_loop *loop, const ccurl_request *request, const ccurl_events *events, void *context);

/// The events that a connection waits for next.
typedef struct {
  bool reads;
  bool writes;
  bool ends;
  /// Milliseconds after which it gets a turn in any case; -1 is never.
  long long milliseconds;
} ccurl_wish;

/// The callbacks of a connection, on the thread of its loop. None may block.
typedef struct {
  /// There is a connection, it can be read from or written to, `ccurl_wake` was called, or the time has
  /// come. Read until `CCURL_AGAIN` before waiting: bytes that are already decrypted cause no event.
  ccurl_wish (*on_turn)(void *context, ccurl_transfer *connection);
  /// The last call, which is always made.
  void (*on_end)(void *context, const ccurl_end *end);
} ccurl_connection_events;

/// Connects to the host of `url` (http or https, whose certificate is verified) and sends nothing; NULL if
/// memory is exhausted.
ccurl_transfer *ccurl_connect(
    ccurl_loop *loop, const char *url, long long connect_milliseconds,
    const ccurl_connection_events *events, void *context);

/// Writes some of the bytes to a connection. After `CCURL_AGAIN`, pass the same bytes again. Only for
/// `on_turn`.
ccurl_status ccurl_write(
    ccurl_transfer *connection, const void *bytes, size_t count, size_t *written);

/// Reads the available bytes of a connection. Only for `on_turn`.
ccurl_status ccurl_read(
    ccurl_transfer *connection, void *bytes, size_t capacity, size_t *received);

/// Gives a connection its turn.
void ccurl_wake(ccurl_transfer *connection);

/// Continues after `CCURL_LATER` or `CCURL_READ_LATER`.
void ccurl_resume(ccurl_transfer *transfer);

/// Ends a transfer. `on_end` is called in any case.
void ccurl_cancel(ccurl_transfer *transfer);

/// Ends a transfer whose loop is late.
///
/// - Returns: whether the server may have received a part of the request. If not, it is not sent.
bool ccurl_give_up(ccurl_transfer *transfer);

/// The caller no longer uses the transfer. It continues until its end.
void ccurl_release(ccurl_transfer *transfer);

#endif
