#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "secure.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct chiredis_stream {
  const chiredis_library *library;
  int descriptor;
  // hiredis' connection, only with TLS. Otherwise, only its parser is used: it writes to sockets without
  // MSG_NOSIGNAL, which would end programs that do not ignore SIGPIPE.
  void *context;
  void *reader;
  // The bytes from `sent` to `count` are to be sent.
  char *bytes;
  size_t sent, count, capacity;
};

chiredis_stream *chiredis_stream_open(
    const chiredis_library *library, int descriptor, const chiredis_tls *tls) {
  chiredis_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) {
    close(descriptor);
    return NULL;
  }
  stream->library = library;
  stream->descriptor = descriptor;
  if (tls != NULL) {
    stream->context = secure_open(library, descriptor, tls);
  } else {
    stream->reader = library->reader_create();
    if (stream->reader == NULL) close(descriptor);
  }
  if (stream->context != NULL || stream->reader != NULL) return stream;
  free(stream);
  return NULL;
}

void chiredis_stream_close(chiredis_stream *stream) {
  if (stream->context != NULL) {
    stream->library->context_free(stream->context);
  } else {
    stream->library->reader_free(stream->reader);
    close(stream->descriptor);
  }
  free(stream->bytes);
  free(stream);
}

int chiredis_stream_descriptor(const chiredis_stream *stream) { return stream->descriptor; }

bool chiredis_stream_append(chiredis_stream *stream, const void *bytes, size_t count) {
  if (stream->context != NULL) return stream->library->append(stream->context, bytes, count) == 0;
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

chiredis_status chiredis_stream_write(chiredis_stream *stream) {
  if (stream->context != NULL) return secure_write(stream->library, stream->context);
  while (stream->sent < stream->count) {
    ssize_t sent = send(
        stream->descriptor, stream->bytes + stream->sent, stream->count - stream->sent, MSG_NOSIGNAL);
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

chiredis_status chiredis_stream_read(chiredis_stream *stream) {
  if (stream->context != NULL) return secure_read(stream->library, stream->context);
  char bytes[1 << 16];
  // At most 16 times, so that one connection does not keep the thread.
  for (int round = 0; round < 16; round++) {
    ssize_t count = recv(stream->descriptor, bytes, sizeof bytes, 0);
    if (count > 0) {
      if (stream->library->reader_feed(stream->reader, bytes, (size_t)count) != 0) return CHIREDIS_FAILED;
      if ((size_t)count < sizeof bytes) return CHIREDIS_DONE;
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
  int status = stream->context != NULL
                   ? stream->library->context_get_reply(stream->context, value)
                   : stream->library->reader_get_reply(stream->reader, value);
  if (status != 0) return CHIREDIS_FAILED;
  return *value == NULL ? CHIREDIS_LATER : CHIREDIS_DONE;
}
