#ifndef CHIREDIS_H
#define CHIREDIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// hiredis, opened at run time: building needs neither its headers nor the library.
typedef struct chiredis_library chiredis_library;

/// Opens the library of that file name. It stays open for the life of the process.
///
/// - Returns: NULL if there is none, if it lacks a function, or if its version cannot be determined.
chiredis_library *chiredis_open_library(const char *name);

/// Opens the libssl of that file name, version 1.1 or 3, for all connections with TLS. It stays open for the life of the
/// process. Only one thread at a time may call it.
///
/// - Returns: false if there is none, or if it lacks a function.
bool chiredis_open_tls(const char *name);

/// Connects to a host, and waits for it. The descriptor does not block.
///
/// - Returns: the descriptor, or -1 with a short message.
int chiredis_connect_host(const char *host, unsigned port, int milliseconds, const char **message);

/// Connects to a Unix domain socket. The descriptor does not block.
///
/// - Returns: the descriptor, or -1 with a short message.
int chiredis_connect_path(const char *path, const char **message);

/// Closes a descriptor.
void chiredis_close(int descriptor);

/// One connection: the bytes to send, and the parser of what is received. Only one thread at a time may use it.
typedef struct chiredis_stream chiredis_stream;

/// Texts may be NULL, except for the server's name.
typedef struct {
  /// The name for which the server's certificate must be valid.
  const char *server_name;
  /// The path of a PEM file with trusted authorities; NULL for the system's.
  const char *authorities;
  /// The path of a PEM file with the client's certificate.
  const char *certificate;
  /// The path of a PEM file with the key of the client's certificate.
  const char *key;
} chiredis_tls;

/// Whether the files of the settings can be used; otherwise, `message` has a text that ends with 0.
bool chiredis_check_tls(const chiredis_tls *settings, char *message, size_t size);

/// A stream that owns the descriptor; NULL if there is not enough memory, or the handshake of TLS fails.
///
/// - Parameters:
///   - tls: NULL for a connection without TLS; otherwise, `chiredis_open_tls` was successful.
///   - milliseconds: the time limit of the handshake, for which the call waits.
chiredis_stream *chiredis_stream_open(
    const chiredis_library *library, int descriptor, const chiredis_tls *tls, int milliseconds);
void chiredis_stream_close(chiredis_stream *stream);
int chiredis_stream_descriptor(const chiredis_stream *stream);

/// Adds bytes to those that `chiredis_stream_write` sends; false if there is not enough memory.
bool chiredis_stream_append(chiredis_stream *stream, const void *bytes, size_t count);

typedef enum {
  CHIREDIS_FAILED = -1,
  CHIREDIS_DONE = 0,
  /// Not all bytes could be sent yet, or nothing complete was received yet.
  CHIREDIS_LATER = 1,
} chiredis_status;

chiredis_status chiredis_stream_write(chiredis_stream *stream);
/// Receives what has arrived, and adds the number of bytes to `received`.
chiredis_status chiredis_stream_read(chiredis_stream *stream, size_t *received);

/// The kinds of RESP2, and those of RESP3 that hiredis maps to them.
typedef enum {
  CHIREDIS_STRING = 1,
  CHIREDIS_ARRAY = 2,
  CHIREDIS_INTEGER = 3,
  CHIREDIS_NULL = 4,
  CHIREDIS_STATUS = 5,
  CHIREDIS_ERROR = 6,
} chiredis_kind;

/// A received value. The pointers are valid until `chiredis_value_free`.
typedef struct {
  int kind;
  long long integer;
  const void *bytes;
  size_t count;
  void *const *elements;
  size_t element_count;
} chiredis_value;

/// The next received value in `value`, which must be freed.
chiredis_status chiredis_stream_next(chiredis_stream *stream, void **value);
chiredis_value chiredis_value_read(const chiredis_library *library, const void *value);
void chiredis_value_free(const chiredis_library *library, void *value);

/// A descriptor to wait for, and what happened.
typedef struct {
  int descriptor;
  bool waits_to_read;
  bool waits_to_write;
  bool is_ready;
} chiredis_entry;

/// Waits for one of the descriptors to be closed by the other side, to fail or, if requested, to have or to accept
/// bytes.
///
/// - Parameter milliseconds: the maximum time; negative for no limit.
void chiredis_wait(chiredis_entry *entries, size_t count, int milliseconds);

/// Waits for a descriptor to have bytes. False if it has none within that time, which is rounded up to milliseconds where
/// the system has no shorter ones.
bool chiredis_wait_briefly(int descriptor, long microseconds);

/// A pipe whose ends do not block: [0] is read, [1] is written. False if there is no free descriptor.
bool chiredis_pipe(int ends[2]);
void chiredis_pipe_write(int end);
void chiredis_pipe_drain(int end);

/// Nanoseconds of a clock that never jumps.
int64_t chiredis_now(void);

#endif
