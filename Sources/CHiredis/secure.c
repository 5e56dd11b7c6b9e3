#define _GNU_SOURCE
#include "secure.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "library.h"

// hiredis has TLS since version 1.0, in a library of its own, but does not compare the server's name with its certificate
// up to version 1.4. So only OpenSSL is used, which also works with hiredis 0.14.

// The functions of OpenSSL 1.1 and 3 that are used, as its documentation declares them. Its types are opaque.
static struct {
  int (*initialize)(uint64_t options, const void *settings);
  const void *(*client_method)(void);
  void *(*context_new)(const void *method);
  void (*context_free)(void *context);
  long (*context_control)(void *context, int command, long number, void *pointer);
  void (*context_verify)(void *context, int mode, void *callback);
  unsigned long (*context_options)(void *context, unsigned long options);
  int (*context_authorities)(void *context, const char *file, const char *folder);
  int (*context_default_authorities)(void *context);
  int (*context_certificate)(void *context, const char *file);
  int (*context_key)(void *context, const char *file, int type);
  int (*context_check_key)(const void *context);
  void *(*session_new)(void *context);
  void (*session_free)(void *session);
  long (*session_control)(void *session, int command, long number, void *pointer);
  void *(*session_parameters)(void *session);
  int (*session_host)(void *session, const char *name);
  void (*session_host_flags)(void *session, unsigned flags);
  int (*parameters_address)(void *parameters, const char *address);
  int (*set_descriptor)(void *session, int descriptor);
  int (*connect)(void *session);
  int (*read)(void *session, void *bytes, int count);
  int (*write)(void *session, const void *bytes, int count);
  int (*error)(const void *session, int result);
  void (*clear_errors)(void);
  unsigned long (*last_error)(void);
  void (*error_text)(unsigned long error, char *text, size_t size);
} openssl;

// From OpenSSL's headers.
enum {
  SET_MINIMUM_VERSION = 123,
  VERSION_1_2 = 0x0303,
  VERIFY_PEER = 1,
  SET_MODE = 33,
  PARTIAL_WRITES_AND_MOVING_BUFFERS = 1 | 2,
  SET_SERVER_NAME = 55,
  NO_PARTIAL_WILDCARDS = 4,
  PEM = 1,
  WANTS_READ = 2,
  WANTS_WRITE = 3,
  CLOSED = 6,
};
#define NO_RENEGOTIATION (1UL << 30)
#define NO_CLEANUP_AT_EXIT 0x00080000

bool chiredis_open_tls(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
  // Those of libcrypto are found since libssl depends on it.
  return library_find(handle, "OPENSSL_init_crypto", &openssl.initialize) &&
         library_find(handle, "TLS_client_method", &openssl.client_method) &&
         library_find(handle, "SSL_CTX_new", &openssl.context_new) &&
         library_find(handle, "SSL_CTX_free", &openssl.context_free) &&
         library_find(handle, "SSL_CTX_ctrl", &openssl.context_control) &&
         library_find(handle, "SSL_CTX_set_verify", &openssl.context_verify) &&
         library_find(handle, "SSL_CTX_set_options", &openssl.context_options) &&
         library_find(handle, "SSL_CTX_load_verify_locations", &openssl.context_authorities) &&
         library_find(handle, "SSL_CTX_set_default_verify_paths", &openssl.context_default_authorities) &&
         library_find(handle, "SSL_CTX_use_certificate_chain_file", &openssl.context_certificate) &&
         library_find(handle, "SSL_CTX_use_PrivateKey_file", &openssl.context_key) &&
         library_find(handle, "SSL_CTX_check_private_key", &openssl.context_check_key) &&
         library_find(handle, "SSL_new", &openssl.session_new) &&
         library_find(handle, "SSL_free", &openssl.session_free) &&
         library_find(handle, "SSL_ctrl", &openssl.session_control) &&
         library_find(handle, "SSL_get0_param", &openssl.session_parameters) &&
         library_find(handle, "SSL_set1_host", &openssl.session_host) &&
         library_find(handle, "SSL_set_hostflags", &openssl.session_host_flags) &&
         library_find(handle, "X509_VERIFY_PARAM_set1_ip_asc", &openssl.parameters_address) &&
         library_find(handle, "SSL_set_fd", &openssl.set_descriptor) &&
         library_find(handle, "SSL_connect", &openssl.connect) && library_find(handle, "SSL_read", &openssl.read) &&
         library_find(handle, "SSL_write", &openssl.write) && library_find(handle, "SSL_get_error", &openssl.error) &&
         library_find(handle, "ERR_clear_error", &openssl.clear_errors) &&
         library_find(handle, "ERR_peek_last_error", &openssl.last_error) &&
         library_find(handle, "ERR_error_string_n", &openssl.error_text) &&
         // Connections are in use by other threads while the process exits.
         openssl.initialize(NO_CLEANUP_AT_EXIT, NULL) == 1;
}

// OpenSSL writes without MSG_NOSIGNAL. A signal for a closed connection is taken before it is delivered.
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

// A context with the settings; NULL with a message if a file cannot be used.
static void *context_open(const chiredis_tls *settings, char *message, size_t size) {
  openssl.clear_errors();
  void *context = openssl.context_new(openssl.client_method());
  const char *step = "OpenSSL";
  bool is_valid = context != NULL;
  if (is_valid) {
    openssl.context_control(context, SET_MINIMUM_VERSION, VERSION_1_2, NULL);
    openssl.context_options(context, NO_RENEGOTIATION);
    openssl.context_verify(context, VERIFY_PEER, NULL);
    step = "the authorities";
    is_valid = settings->authorities != NULL
                   ? openssl.context_authorities(context, settings->authorities, NULL) == 1
                   : openssl.context_default_authorities(context) == 1;
  }
  if (is_valid && settings->certificate != NULL) {
    step = "the certificate";
    is_valid = openssl.context_certificate(context, settings->certificate) == 1;
  }
  if (is_valid && settings->key != NULL) {
    step = "the key";
    is_valid = openssl.context_key(context, settings->key, PEM) == 1 &&
               openssl.context_check_key(context) == 1;
  }
  if (is_valid) return context;
  char text[160];
  openssl.error_text(openssl.last_error(), text, sizeof text);
  snprintf(message, size, "%s: %s", step, text);
  if (context != NULL) openssl.context_free(context);
  return NULL;
}

bool chiredis_check_tls(const chiredis_tls *settings, char *message, size_t size) {
  void *context = context_open(settings, message, size);
  if (context == NULL) return false;
  openssl.context_free(context);
  return true;
}

// The certificate must be valid for the name, or for the address.
static bool set_name(void *session, const char *name) {
  if (openssl.parameters_address(openssl.session_parameters(session), name) == 1) return true;
  openssl.session_host_flags(session, NO_PARTIAL_WILDCARDS);
  return openssl.session_host(session, name) == 1 &&
         // The type of the name is the only one that there is.
         openssl.session_control(session, SET_SERVER_NAME, 0, (void *)name) == 1;
}

static int64_t milliseconds_now(void) { return chiredis_now() / 1000000; }

// Waits for what the handshake needs; false if that takes too long, or the handshake has failed.
static bool wait_for_handshake(void *session, int descriptor, int result, int64_t end) {
  int wanted = openssl.error(session, result);
  if (wanted != WANTS_READ && wanted != WANTS_WRITE) return false;
  struct pollfd entry = {.fd = descriptor, .events = wanted == WANTS_READ ? POLLIN : POLLOUT};
  int64_t rest;
  while ((rest = end - milliseconds_now()) > 0) {
    int count = poll(&entry, 1, rest > INT_MAX ? INT_MAX : (int)rest);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
  return false;
}

static bool shake_hands(void *session, int descriptor, int milliseconds) {
  int64_t end = milliseconds_now() + milliseconds;
  for (;;) {
    openssl.clear_errors();
    int result = openssl.connect(session);
    if (result == 1) return true;
    if (!wait_for_handshake(session, descriptor, result, end)) return false;
  }
}

secure_session *secure_open(int descriptor, const chiredis_tls *settings, int milliseconds) {
  char message[256];
  void *context = context_open(settings, message, sizeof message);
  if (context == NULL) return NULL;
  void *session = openssl.session_new(context);
  // The session keeps what it needs of it.
  openssl.context_free(context);
  if (session == NULL) return NULL;
  openssl.session_control(session, SET_MODE, PARTIAL_WRITES_AND_MOVING_BUFFERS, NULL);
  signal_block block;
  block_signal(&block);
  bool is_open = set_name(session, settings->server_name) &&
                 openssl.set_descriptor(session, descriptor) == 1 &&
                 shake_hands(session, descriptor, milliseconds);
  unblock_signal(&block);
  if (is_open) return session;
  openssl.session_free(session);
  return NULL;
}

void secure_close(secure_session *session) { openssl.session_free(session); }

// Sets `errno` for a call that transferred nothing.
static ssize_t failure(secure_session *session, int result) {
  int error = openssl.error(session, result);
  if (error == CLOSED) return 0;
  errno = error == WANTS_READ || error == WANTS_WRITE ? EAGAIN : EIO;
  return -1;
}

ssize_t secure_send(secure_session *session, const void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  signal_block block;
  block_signal(&block);
  openssl.clear_errors();
  int sent = openssl.write(session, bytes, (int)count);
  ssize_t result = sent > 0 ? sent : failure(session, sent);
  unblock_signal(&block);
  if (result == 0) {
    errno = EIO;
    return -1;
  }
  return result;
}

ssize_t secure_receive(secure_session *session, void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  // Reading may write: a message of the protocol may need a response.
  signal_block block;
  block_signal(&block);
  openssl.clear_errors();
  int received = openssl.read(session, bytes, (int)count);
  ssize_t result = received > 0 ? received : failure(session, received);
  unblock_signal(&block);
  return result;
}
