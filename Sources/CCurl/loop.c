#define _GNU_SOURCE
#include "loop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exiting.h"

// MARK: Commands of other threads

static void command(ccurl_transfer *transfer, int command) {
  ccurl_loop *loop = transfer->loop;
  pthread_mutex_lock(&loop->mutex);
  transfer->commands |= command;
  if (!transfer->is_queued) {
    transfer->is_queued = true;
    transfer_retain(transfer);
    transfer->next_command = NULL;
    if (loop->first_command == NULL) {
      loop->first_command = transfer;
    } else {
      loop->last_command->next_command = transfer;
    }
    loop->last_command = transfer;
  }
  bool wakes = !loop->is_woken;
  loop->is_woken = true;
  pthread_mutex_unlock(&loop->mutex);
  if (!wakes) return;
  // If the pipe is full, the thread wakes as well.
  ssize_t ignored = write(loop->wake_writer, "", 1);
  (void)ignored;
}

void loop_start(ccurl_transfer *transfer) { command(transfer, COMMAND_START); }
void ccurl_cancel(ccurl_transfer *transfer) { command(transfer, COMMAND_CANCEL); }
bool ccurl_give_up(ccurl_transfer *transfer) {
  atomic_store(&transfer->is_given_up, true);
  bool may_have_been_sent = atomic_load(&transfer->is_prepared);
  command(transfer, COMMAND_CANCEL);
  return may_have_been_sent;
}

void ccurl_resume(ccurl_transfer *transfer) { command(transfer, COMMAND_RESUME); }
void ccurl_wake(ccurl_transfer *transfer) { command(transfer, COMMAND_WAKE); }

void transfer_retain(ccurl_transfer *transfer) { atomic_fetch_add(&transfer->references, 1); }

void ccurl_release(ccurl_transfer *transfer) {
  if (atomic_fetch_sub(&transfer->references, 1) != 1) return;
  free(transfer->head);
  free(transfer);
}

// MARK: Ends

// Reports the end, which is the last callback of the transfer.
static void report(ccurl_transfer *transfer, ccurl_status status) {
  if (transfer->is_ended) return;
  transfer->is_ended = true;
  ccurl_end end = {
      .status = status,
      .was_sent = transfer_was_sent(transfer),
      .message = transfer->message,
  };
  if (transfer->is_connection) {
    transfer->connection_events.on_end(transfer->context, &end);
  } else {
    transfer->events.on_end(transfer->context, &end);
  }
}

// Removes libcurl's handle from the transfer. After a successful request it is kept for another one. After
// others it may contain state of the request, such as that its body has to be resent.
static void free_handle(ccurl_transfer *transfer, bool is_reusable) {
  ccurl_loop *loop = transfer->loop;
  const ccurl_library *library = loop->library;
  if (transfer->easy == NULL) return;
  if (transfer->is_open) {
    poller_watch(loop->poller, transfer->descriptor, 0);
    loop->connections[transfer->descriptor] = NULL;
  }
  library->multi_remove_handle(loop->multi, transfer->easy);
  if (is_reusable && loop->idle_handle_count < MAXIMUM_IDLE_HANDLES) {
    // libcurl must not read memory that is freed with the transfer; all other pointers to it are set again
    // before the handle is reused.
    library->easy_setopt(transfer->easy, OPTION_POSTFIELDS, (char *)NULL);
    library->easy_setopt(transfer->easy, OPTION_HTTPHEADER, (header_line *)NULL);
    library->easy_setopt(transfer->easy, OPTION_ERRORBUFFER, (char *)NULL);
    loop->idle_handles[loop->idle_handle_count++] = transfer->easy;
  } else {
    library->easy_cleanup(transfer->easy);
  }
  transfer->easy = NULL;
}

// Connections without requests, such as those of web sockets, do not reduce the number for those with
// requests.
static void limit_connections(ccurl_loop *loop) {
  loop->library->multi_setopt(
      loop->multi, POOL_MAX_HOST_CONNECTIONS,
      loop->settings.connections_per_host + loop->connection_count);
}

// Ends the transfer and releases it. Not for functions that libcurl calls.
static void finish(ccurl_transfer *transfer, ccurl_status status) {
  ccurl_loop *loop = transfer->loop;
  report(transfer, status);
  free_handle(transfer, status == CCURL_OK && !transfer->is_connection);
  deadlines_remove(&loop->deadlines, &transfer->deadline);
  if (transfer->previous != NULL) {
    transfer->previous->next = transfer->next;
  } else {
    loop->active = transfer->next;
  }
  if (transfer->next != NULL) transfer->next->previous = transfer->previous;
  loop->active_count--;
  if (transfer->is_connection) {
    loop->connection_count--;
    limit_connections(loop);
  }
  ccurl_release(transfer);
}

// Ends a transfer that libcurl has not ended.
static void stop(ccurl_transfer *transfer, ccurl_status status) {
  if (transfer->is_resolving) {
    report(transfer, status);
    // With its own limit, libcurl would also wait for the name.
    transfer->loop->library->easy_setopt(
        transfer->easy, OPTION_CONNECTTIMEOUT_MS, NO_CONNECT_MILLISECONDS);
    transfer->is_abandoned = true;
    deadlines_remove(&transfer->loop->deadlines, &transfer->deadline);
  } else {
    finish(transfer, status);
  }
}

// The length of the scheme and the authority of an address.
static size_t origin_length(const char *url) {
  const char *authority = strstr(url, "://");
  return authority == NULL ? strlen(url) : (size_t)(authority + 3 - url) + strcspn(authority + 3, "/?#");
}

// A secure request waits while the first connection to its host is opened, which may carry it too. If that
// one times out, the requests that waited for it time out as well.
static void count_waiting_as_connecting(const ccurl_transfer *failed) {
  size_t length = origin_length(failed->url);
  for (ccurl_transfer *other = failed->loop->active; other != NULL; other = other->next) {
    if (other->is_prepared || other->connect_deadline != 0 || other->connect_limit == 0 ||
        origin_length(other->url) != length || strncmp(other->url, failed->url, length) != 0) {
      continue;
    }
    other->connect_deadline = other->start + other->connect_limit;
    transfer_schedule(other);
  }
}

// MARK: Connections

static bool remember_connection(ccurl_transfer *connection) {
  ccurl_loop *loop = connection->loop;
  if (connection->descriptor >= loop->connection_capacity) {
    int capacity = connection->descriptor * 2 + 16;
    ccurl_transfer **grown = realloc(loop->connections, (size_t)capacity * sizeof *grown);
    if (grown == NULL) return false;
    memset(
        grown + loop->connection_capacity, 0,
        (size_t)(capacity - loop->connection_capacity) * sizeof *grown);
    loop->connections = grown;
    loop->connection_capacity = capacity;
  }
  loop->connections[connection->descriptor] = connection;
  return true;
}

static void turn(ccurl_transfer *connection) {
  ccurl_wish wish = connection->connection_events.on_turn(connection->context, connection);
  if (wish.ends) {
    finish(connection, CCURL_END);
    return;
  }
  connection->turn_deadline =
      wish.milliseconds < 0 ? 0 : nanoseconds_now() + wish.milliseconds * 1000000;
  transfer_schedule(connection);
  int interest = (wish.reads ? WATCH_IN : 0) | (wish.writes ? WATCH_OUT : 0);
  if (!poller_watch(connection->loop->poller, connection->descriptor, interest)) {
    finish(connection, CCURL_NO_MEMORY);
  }
}

static void open_connection(ccurl_transfer *connection) {
  const ccurl_library *library = connection->loop->library;
  int code = library->easy_getinfo(
      connection->easy, INFO_ACTIVESOCKET, &connection->descriptor);
  if (code != CODE_OK || connection->descriptor < 0) {
    finish(connection, CCURL_CANNOT_CONNECT);
  } else if (!remember_connection(connection)) {
    finish(connection, CCURL_NO_MEMORY);
  } else {
    connection->is_open = true;
    connection->connect_deadline = 0;
    turn(connection);
  }
}

// MARK: What libcurl reports

static int on_socket(void *easy, int descriptor, int what, void *context, void *ignored) {
  (void)ignored;
  ccurl_loop *loop = context;
  if (poller_watch(loop->poller, descriptor, what & (WATCH_IN | WATCH_OUT))) return 0;
  // The transfer would never wake again.
  ccurl_transfer *transfer = NULL;
  loop->library->easy_getinfo(easy, INFO_PRIVATE, &transfer);
  if (transfer != NULL) {
    transfer->failure = CCURL_NO_MEMORY;
    transfer->total_deadline = nanoseconds_now();
    transfer_schedule(transfer);
  }
  return 0;
}

static int on_timer(void *multi, long milliseconds, void *context) {
  (void)multi;
  ccurl_loop *loop = context;
  if (milliseconds < 0) {
    deadlines_remove(&loop->deadlines, &loop->timer);
  } else {
    deadlines_set(&loop->deadlines, &loop->timer, nanoseconds_now() + milliseconds * 1000000LL);
  }
  return 0;
}

static void act(ccurl_loop *loop, int descriptor, int events) {
  int running;
  atomic_store(&loop->served_descriptor, descriptor);
  atomic_fetch_add(&loop->call_number, 1);
  loop->library->multi_socket_action(loop->multi, descriptor, events, &running);
  atomic_fetch_add(&loop->call_number, 1);
}

static void finish_done(ccurl_loop *loop) {
  int left;
  done_message *message;
  while ((message = loop->library->multi_info_read(loop->multi, &left)) != NULL) {
    if (message->kind != MESSAGE_DONE) continue;
    int code = message->data.code;
    ccurl_transfer *transfer = NULL;
    loop->library->easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
    if (transfer->is_connection && code == CODE_OK && !transfer->is_abandoned) {
      open_connection(transfer);
    } else {
      if (code != CODE_OK && transfer->message[0] == 0) {
        const char *text = loop->library->easy_strerror(code);
        strncpy(transfer->message, text == NULL ? "" : text, ERROR_SIZE - 1);
      }
      finish(transfer, transfer_status(transfer, code));
    }
  }
}

// MARK: The thread

static void start(ccurl_transfer *transfer) {
  ccurl_loop *loop = transfer->loop;
  transfer->next = loop->active;
  if (loop->active != NULL) loop->active->previous = transfer;
  loop->active = transfer;
  loop->active_count++;
  if (transfer->is_connection) {
    loop->connection_count++;
    limit_connections(loop);
  }
  // libcurl's timer is one more.
  bool has_room = deadlines_reserve(&loop->deadlines, loop->active_count + 1);
  int code = CODE_OUT_OF_MEMORY;
  if (has_room && transfer_prepare(transfer, &code)) {
    if (loop->library->multi_add_handle(loop->multi, transfer->easy) == 0) {
      transfer_schedule(transfer);
      return;
    }
    code = CODE_OUT_OF_MEMORY;
  }
  if (transfer->easy != NULL) {
    loop->library->easy_cleanup(transfer->easy);
    transfer->easy = NULL;
  }
  finish(transfer, transfer_status(transfer, code));
}

static void resume(ccurl_transfer *transfer) {
  if (!transfer->is_paused || transfer->easy == NULL) return;
  transfer->is_paused = false;
  transfer->last_activity = nanoseconds_now();
  int code = transfer->loop->library->easy_pause(transfer->easy, CONTINUE_ALL);
  // libcurl reports the latter if it has no connection for the transfer at the moment.
  if (code != CODE_OK && code != CODE_BAD_FUNCTION_ARGUMENT) {
    finish(transfer, transfer_status(transfer, code));
  } else {
    transfer_schedule(transfer);
  }
}

static void obey(ccurl_transfer *transfer, int commands) {
  bool is_cancelled = (commands & COMMAND_CANCEL) != 0;
  if ((commands & COMMAND_START) != 0) {
    start(transfer);
    if (is_cancelled && !transfer->is_ended) stop(transfer, CCURL_CANCELLED);
  } else if (transfer->is_ended) {
    return;
  } else if (is_cancelled) {
    stop(transfer, CCURL_CANCELLED);
  } else {
    if ((commands & COMMAND_RESUME) != 0) resume(transfer);
    if ((commands & COMMAND_WAKE) != 0 && transfer->is_open) turn(transfer);
  }
}

// Returns whether the loop has to stop.
static bool obey_all(ccurl_loop *loop) {
  pthread_mutex_lock(&loop->mutex);
  ccurl_transfer *transfer = loop->first_command;
  loop->first_command = NULL;
  loop->is_woken = false;
  bool stops = loop->is_stopping;
  pthread_mutex_unlock(&loop->mutex);
  while (transfer != NULL) {
    pthread_mutex_lock(&loop->mutex);
    ccurl_transfer *next = transfer->next_command;
    int commands = transfer->commands;
    transfer->commands = 0;
    transfer->is_queued = false;
    pthread_mutex_unlock(&loop->mutex);
    obey(transfer, commands);
    ccurl_release(transfer);
    transfer = next;
  }
  return stops;
}

// Handles a transfer whose deadline has come.
static void check(ccurl_transfer *transfer) {
  int64_t now = transfer->loop->now;
  if (transfer->total_deadline != 0 && transfer->total_deadline <= now) {
    stop(transfer, transfer->failure != CCURL_OK ? transfer->failure : CCURL_TIMED_OUT);
  } else if (
      transfer->connect_deadline != 0 && transfer->connect_deadline <= now) {
    count_waiting_as_connecting(transfer);
    stop(transfer, CCURL_CONNECT_TIMED_OUT);
  } else if (
      transfer->idle_limit != 0 && transfer->is_prepared && !transfer->is_paused &&
      transfer->last_activity + transfer->idle_limit <= now) {
    stop(transfer, CCURL_SILENT);
  } else if (transfer->turn_deadline != 0 && transfer->turn_deadline <= now) {
    turn(transfer);
  } else {
    transfer_schedule(transfer);
  }
}

static void meet_deadlines(ccurl_loop *loop) {
  loop->now = nanoseconds_now();
  deadline *first;
  bool has_acted = false;
  while ((first = deadlines_first(&loop->deadlines)) != NULL && first->time <= loop->now) {
    if (first != &loop->timer) {
      check((ccurl_transfer *)((char *)first - offsetof(ccurl_transfer, deadline)));
      continue;
    }
    // It may be due again at once; sockets are served first.
    if (has_acted) break;
    has_acted = true;
    deadlines_remove(&loop->deadlines, first);
    act(loop, SOCKET_TIMEOUT, 0);
  }
  finish_done(loop);
}

static int milliseconds_to_wait(const ccurl_loop *loop) {
  const deadline *first = deadlines_first(&loop->deadlines);
  if (first == NULL) return -1;
  int64_t rest = first->time - nanoseconds_now();
  if (rest <= 0) return 0;
  int64_t milliseconds = (rest + 999999) / 1000000;
  return milliseconds > 3600000 ? 3600000 : (int)milliseconds;
}

static void serve(ccurl_loop *loop, poller_event event) {
  if (event.descriptor == loop->wake_reader) {
    char bytes[64];
    while (read(loop->wake_reader, bytes, sizeof bytes) > 0) {}
    return;
  }
  ccurl_transfer *connection =
      event.descriptor < loop->connection_capacity ? loop->connections[event.descriptor] : NULL;
  if (connection != NULL) {
    turn(connection);
  } else {
    act(loop, event.descriptor, event.events);
  }
}

static void free_loop(ccurl_loop *loop) {
  const ccurl_library *library = loop->library;
  while (loop->active != NULL) finish(loop->active, CCURL_CANCELLED);
  for (int index = 0; index < loop->idle_handle_count; index++) {
    library->easy_cleanup(loop->idle_handles[index]);
  }
  if (loop->multi != NULL) library->multi_cleanup(loop->multi);
  exiting_remove(loop);
  if (loop->poller != NULL) poller_free(loop->poller);
  if (loop->wake_reader >= 0) close(loop->wake_reader);
  if (loop->wake_writer >= 0) close(loop->wake_writer);
  free(loop->deadlines.entries);
  free(loop->connections);
  free(loop->sockets.entries);
  free((char *)loop->settings.unix_socket);
  free((char *)loop->settings.authorities);
  free((char *)loop->settings.authorities_text);
  free((char *)loop->settings.certificate);
  free((char *)loop->settings.key);
  free((char *)loop->settings.key_password);
  pthread_mutex_destroy(&loop->mutex);
  pthread_mutex_destroy(&loop->sockets.mutex);
  free(loop);
}

static void *run(void *context) {
  ccurl_loop *loop = context;
  poller_event events[64];
  while (!obey_all(loop)) {
    exiting_pause(loop);
    meet_deadlines(loop);
    atomic_store(&loop->busy_since, 0);
    int count = poller_wait(loop->poller, events, 64, milliseconds_to_wait(loop));
    loop->now = nanoseconds_now();
    atomic_store(&loop->busy_since, loop->now);
    for (int index = 0; index < count; index++) serve(loop, events[index]);
    if (count > 0) finish_done(loop);
  }
  free_loop(loop);
  return NULL;
}

// MARK: Life

static bool make_pipe(ccurl_loop *loop) {
  int ends[2];
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  loop->wake_reader = ends[0];
  loop->wake_writer = ends[1];
  return true;
#else
  if (pipe(ends) != 0) return false;
  loop->wake_reader = ends[0];
  loop->wake_writer = ends[1];
  bool is_set = true;
  for (int index = 0; index < 2; index++) {
    is_set = is_set && fcntl(ends[index], F_SETFD, FD_CLOEXEC) == 0 &&
             fcntl(ends[index], F_SETFL, O_NONBLOCK) == 0;
  }
  return is_set;
#endif
}

static bool copy_text(const char **copy, const char *text) {
  *copy = text == NULL ? NULL : strdup(text);
  return text == NULL || *copy != NULL;
}

static bool copy_settings(ccurl_settings *copy, const ccurl_settings *settings) {
  copy->connections_per_host = settings->connections_per_host;
  copy->idle_connections = settings->idle_connections;
  return copy_text(&copy->unix_socket, settings->unix_socket) &&
         copy_text(&copy->authorities, settings->authorities) &&
         copy_text(&copy->authorities_text, settings->authorities_text) &&
         copy_text(&copy->certificate, settings->certificate) &&
         copy_text(&copy->key, settings->key) &&
         copy_text(&copy->key_password, settings->key_password);
}

static bool set_multi_options(ccurl_loop *loop) {
  int (*set)(void *, int, ...) = loop->library->multi_setopt;
  return set(loop->multi, POOL_SOCKETFUNCTION, on_socket) == 0 &&
         set(loop->multi, POOL_SOCKETDATA, loop) == 0 &&
         set(loop->multi, POOL_TIMERFUNCTION, on_timer) == 0 &&
         set(loop->multi, POOL_TIMERDATA, loop) == 0 &&
         set(loop->multi, POOL_MAX_HOST_CONNECTIONS, loop->settings.connections_per_host) == 0 &&
         set(loop->multi, POOL_MAXCONNECTS, loop->settings.idle_connections) == 0;
}

// A signal's handler may call anything. SIGPIPE ends the process; a write to a broken connection raises it
// if the TLS library does not request an error instead. Signals that report a fault of this thread are not
// blocked.
static bool start_thread(ccurl_loop *loop) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGPROF};
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
    sigdelset(&blocked, faults[index]);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_t thread;
  bool is_started = exiting_add(loop) && pthread_create(&thread, NULL, run, loop) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (is_started) {
    pthread_detach(thread);
    loop->thread = thread;
  }
  return is_started;
}

ccurl_loop *ccurl_loop_start(const ccurl_library *library, const ccurl_settings *settings) {
  ccurl_loop *loop = calloc(1, sizeof *loop);
  if (loop == NULL) return NULL;
  loop->library = library;
  loop->wake_reader = loop->wake_writer = -1;
  loop->timer.index = -1;
  pthread_mutex_init(&loop->mutex, NULL);
  pthread_mutex_init(&loop->sockets.mutex, NULL);
  if (copy_settings(&loop->settings, settings) && make_pipe(loop) &&
      (loop->poller = poller_make()) != NULL && (loop->multi = library->multi_init()) != NULL &&
      deadlines_reserve(&loop->deadlines, 1) && set_multi_options(loop) &&
      poller_watch(loop->poller, loop->wake_reader, WATCH_IN) && start_thread(loop)) {
    return loop;
  }
  free_loop(loop);
  return NULL;
}

void ccurl_loop_stop(ccurl_loop *loop) {
  pthread_mutex_lock(&loop->mutex);
  loop->is_stopping = true;
  int writer = loop->wake_writer;
  // Under the lock: the thread closes the pipe when it has seen that it has to stop.
  ssize_t ignored = write(writer, "", 1);
  (void)ignored;
  pthread_mutex_unlock(&loop->mutex);
}
