#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

/// libcurl, opened while the program runs: neither its headers nor the library are needed to build.
typedef struct ccurl_library ccurl_library;

/// A TCP or TLS connection that libcurl makes and that carries bytes of any kind.
///
/// One thread connects, sends, receives, waits and closes. `ccurl_wake` and `ccurl_cancel` may be
/// called from others until it is closed.
typedef struct ccurl_connection ccurl_connection;

typedef enum {
  CCURL_OK = 0,
  /// Nothing can be sent or received now: wait.
  CCURL_AGAIN,
  /// The other side has ended the connection in order.
  CCURL_END,
  /// The address is unusable.
  CCURL_INVALID,
  CCURL_UNKNOWN_HOST,
  CCURL_CANNOT_CONNECT,
  /// The certificate or the secure connection was refused.
  CCURL_TLS,
  CCURL_TIMED_OUT,
  CCURL_CANCELLED,
  /// The connection broke.
  CCURL_LOST,
} ccurl_status;

/// Opens the library of that file name; NULL when there is none or it lacks a function. It stays
/// open.
ccurl_library *ccurl_open_library(const char *name);

/// NULL when there is no memory or no file descriptor left.
ccurl_connection *ccurl_make(const ccurl_library *library);

/// Connects to the host of `url` (http or https, whose certificate is verified) and sends nothing.
/// Blocks; `ccurl_cancel` ends it within about a second. SIGPIPE is blocked in this thread from here
/// on.
///
/// `authorities` is a PEM file with the certificates that are trusted in place of the system's; NULL
/// trusts the system's.
ccurl_status ccurl_connect(
    ccurl_connection *connection, const char *url, const char *authorities);

/// Sends some of the bytes, without blocking. After `CCURL_AGAIN` the same bytes come again.
ccurl_status ccurl_send(
    ccurl_connection *connection, const void *bytes, size_t count, size_t *sent);

/// Receives what is there, without blocking. Receive until `CCURL_AGAIN` before waiting: bytes that
/// are decrypted already wake nobody.
ccurl_status ccurl_receive(
    ccurl_connection *connection, void *bytes, size_t capacity, size_t *received);

/// Blocks until the connection can be read from or written to, as asked, or `ccurl_wake` is called,
/// or `milliseconds` have passed (-1: never).
void ccurl_wait(ccurl_connection *connection, bool reads, bool writes, int milliseconds);

/// Ends the wait of the connection's thread, the next one if it does not wait.
void ccurl_wake(ccurl_connection *connection);

/// Ends connecting and waiting.
void ccurl_cancel(ccurl_connection *connection);

/// What libcurl says about the last failure. Valid until the next call.
const char *ccurl_message(const ccurl_connection *connection);

/// Closes the connection and frees it.
void ccurl_close(ccurl_connection *connection);

/// A POST request over http or https.
typedef struct {
  const char *url;
  /// A line each: `Name: value`, or `Name;` where the value is empty.
  const char *headers;
  const void *body;
  size_t body_count;
  /// Until the answer is complete.
  long milliseconds;
} ccurl_post_request;

/// Takes the body of an answer.
typedef struct {
  void *context;
  /// Takes the next bytes, with content codings undone; false ends the transfer.
  bool (*receive)(void *context, const void *bytes, size_t count);
} ccurl_receiver;

/// What a server has answered, but for the body. Its texts are freed by `ccurl_clear`.
typedef struct {
  long status;
  /// NULL when the server does not say.
  char *content_type;
  /// Where a redirect leads, absolute; NULL for other answers.
  char *location;
} ccurl_answer;

/// Sends the request and waits for the answer. Redirects are not followed; the certificate of the
/// server is verified. `CCURL_CANCELLED` says that the receiver has ended the transfer. SIGPIPE is
/// blocked in this thread from here on.
ccurl_status ccurl_post(
    const ccurl_library *library, const ccurl_post_request *request,
    const ccurl_receiver *receiver, ccurl_answer *answer);

/// Frees the texts of an answer.
void ccurl_clear(ccurl_answer *answer);

#endif
