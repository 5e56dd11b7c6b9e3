#define _GNU_SOURCE
#include "secure.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// The beginning of a context of hiredis 1.x.
typedef struct {
  const void *functions;
  int error;
  char message[128];
  int descriptor;
  int flags;
} context_of_1;

enum { BLOCKS = 1 };

// hiredis writes without MSG_NOSIGNAL. A signal for a closed connection is taken before it is delivered.
typedef struct {
  sigset_t pipe;
  sigset_t previous;
  bool was_pending;
} signal_block;

static void block_signal(signal_block *block) {
  sigset_t pending;
  sigemptyset(&block->pipe);
  sigaddset(&block->pipe, SIGPIPE);
  sigpending(&pending);
  block->was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &block->pipe, &block->previous);
}

static void unblock_signal(signal_block *block) {
  sigset_t pending;
  sigpending(&pending);
  if (!block->was_pending && sigismember(&pending, SIGPIPE)) {
    int taken;
    sigwait(&block->pipe, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &block->previous, NULL);
}

void *secure_open(const chiredis_library *library, int descriptor, const chiredis_tls *settings) {
  if (library->initiate_tls == NULL || library->connect_fd == NULL) {
    close(descriptor);
    return NULL;
  }
  context_of_1 *context = library->connect_fd(descriptor);
  if (context == NULL || context->error != 0) {
    if (context != NULL) library->context_free(context); else close(descriptor);
    return NULL;
  }
  context->flags &= ~BLOCKS;
  int error = 0;
  // Without a file, OpenSSL's own folder of authorities applies.
  const char *folder = settings->authorities == NULL ? "/etc/ssl/certs" : NULL;
  void *tls = library->create_tls(
      settings->authorities, folder, settings->certificate, settings->key, settings->server_name, &error);
  signal_block block;
  block_signal(&block);
  bool is_open = tls != NULL && library->initiate_tls(context, tls) == 0;
  unblock_signal(&block);
  // The session of the connection keeps what it needs of it.
  if (tls != NULL) library->free_tls(tls);
  if (is_open) return context;
  library->context_free(context);
  return NULL;
}

chiredis_status secure_write(const chiredis_library *library, void *context) {
  int is_done = 0;
  signal_block block;
  block_signal(&block);
  int status = library->buffer_write(context, &is_done);
  unblock_signal(&block);
  if (status != 0) return CHIREDIS_FAILED;
  return is_done ? CHIREDIS_DONE : CHIREDIS_LATER;
}

chiredis_status secure_read(const chiredis_library *library, void *context) {
  signal_block block;
  block_signal(&block);
  int status = library->buffer_read(context);
  unblock_signal(&block);
  return status == 0 ? CHIREDIS_DONE : CHIREDIS_FAILED;
}
