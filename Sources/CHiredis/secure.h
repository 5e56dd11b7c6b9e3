#ifndef SECURE_H
#define SECURE_H

#include <sys/types.h>

#include "CHiredis.h"

/// The TLS session of a connection.
typedef struct secure_session secure_session;

/// Completes the handshake on a descriptor that does not block. NULL if TLS cannot be started, if the server's
/// certificate is not valid for its name, or if the handshake takes longer.
secure_session *secure_open(int descriptor, const chiredis_tls *settings, int milliseconds);
void secure_close(secure_session *session);

/// Like `send` and `recv`, with EAGAIN or EIO in `errno`.
ssize_t secure_send(secure_session *session, const void *bytes, size_t count);
ssize_t secure_receive(secure_session *session, void *bytes, size_t count);

#endif
