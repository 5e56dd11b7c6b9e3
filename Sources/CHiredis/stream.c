#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "library.h"
#include "secure.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct chiredis_stream {
  const chiredis_library *library;
  int descriptor;
  // NULL without TLS.
  secure_session *session;
  // Only the parser of hiredis is used: it writes to sockets without MSG_NOSIGNAL, which would end programs that do
  // not ignore SIGPIPE.
  void *reader;
  // The bytes from `sent` to `count` are to be sent.
  char *bytes;
  size_t sent, count, capacity;
};

chiredis_stream *chiredis_stream_open(
    const chiredis_library *library, int descriptor, const chiredis_tls *tls, int milliseconds) {
  chiredis_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) {
    close(descriptor);
    return NULL;
  }
  stream->library = library;
  stream->descriptor = descriptor;
  stream->reader = library->reader_create();
  bool is_open = stream->reader != NULL;
  if (is_open && tls != NULL) {
    stream->session = secure_open(descriptor, tls, milliseconds);
    is_open = stream->session != NULL;
  }
  if (is_open) return stream;
  chiredis_stream_close(stream);
  return NULL;
}

void chiredis_stream_close(chiredis_stream *stream) {
  if (stream->session != NULL) secure_close(stream->session);
  if (stream->reader != NULL) stream->library->reader_free(stream->reader);
  close(stream->descriptor);
  free(stream->bytes);
  free(stream);
}

int chiredis_stream_descriptor(const chiredis_stream *stream) { return stream->descriptor; }

bool chiredis_stream_append(chiredis_stream *stream, const void *bytes, size_t count) {
  if (stream->sent > 0 && stream->count + count > stream->capacity) {
    memmove(stream->bytes, stream->bytes + stream->sent, stream->count - stream->sent);
    stream->count -= stream->sent;
    stream->sent = 0;
  }
  if (stream->count + count > stream->capacity) {
    size_t capacity = (stream->count + count) * 2;
    char *grown = realloc(stream->bytes, capacity);
    if (grown == NULL) return false;
    stream->bytes = grown;
    stream->capacity = capacity;
  }
  memcpy(stream->bytes + stream->count, bytes, count);
  stream->count += count;
  return true;
}

static ssize_t send_bytes(chiredis_stream *stream) {
  const char *bytes = stream->bytes + stream->sent;
  size_t count = stream->count - stream->sent;
  if (stream->session != NULL) return secure_send(stream->session, bytes, count);
  return send(stream->descriptor, bytes, count, MSG_NOSIGNAL);
}

chiredis_status chiredis_stream_write(chiredis_stream *stream) {
  while (stream->sent < stream->count) {
    ssize_t sent = send_bytes(stream);
    if (sent >= 0) {
      stream->sent += (size_t)sent;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return CHIREDIS_LATER;
    } else if (errno != EINTR) {
      return CHIREDIS_FAILED;
    }
  }
  stream->sent = stream->count = 0;
  // A large response should not keep its memory.
  if (stream->capacity > (1 << 20)) {
    free(stream->bytes);
    stream->bytes = NULL;
    stream->capacity = 0;
  }
  return CHIREDIS_DONE;
}

chiredis_status chiredis_stream_read(chiredis_stream *stream, size_t *received) {
  char bytes[1 << 16];
  // At most 16 times, so that one connection does not keep the thread. A record of TLS is smaller than the buffer, so
  // none is left of which the descriptor would not tell.
  for (int round = 0; round < 16; round++) {
    ssize_t count = stream->session != NULL
                        ? secure_receive(stream->session, bytes, sizeof bytes)
                        : recv(stream->descriptor, bytes, sizeof bytes, 0);
    if (count > 0) {
      *received += (size_t)count;
      if (stream->library->reader_feed(stream->reader, bytes, (size_t)count) != 0) return CHIREDIS_FAILED;
      if (stream->session == NULL && (size_t)count < sizeof bytes) return CHIREDIS_DONE;
    } else if (count == 0) {
      return CHIREDIS_FAILED;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return CHIREDIS_DONE;
    } else if (errno != EINTR) {
      return CHIREDIS_FAILED;
    }
  }
  return CHIREDIS_DONE;
}

chiredis_status chiredis_stream_next(chiredis_stream *stream, void **value) {
  *value = NULL;
  if (stream->library->reader_get_reply(stream->reader, value) != 0) return CHIREDIS_FAILED;
  return *value == NULL ? CHIREDIS_LATER : CHIREDIS_DONE;
}
