#ifndef CCURL_LOOP_H
#define CCURL_LOOP_H

#include <pthread.h>
#include <stdatomic.h>

#include "deadlines.h"
#include "library.h"
#include "poller.h"
#include "sockets.h"

// The commands of other threads for a transfer.
enum {
  COMMAND_START = 1,
  COMMAND_CANCEL = 2,
  COMMAND_RESUME = 4,
  COMMAND_WAKE = 8,
};

enum { MAXIMUM_IDLE_HANDLES = 64 };

// The value that libcurl treats as no limit; its own default is 5 minutes.
#define NO_CONNECT_MILLISECONDS 86400000L

struct ccurl_loop {
  const ccurl_library *library;
  ccurl_settings settings;
  void *multi;
  poller *poller;
  int wake_reader;
  int wake_writer;
  deadline_heap deadlines;
  // When libcurl needs to be called.
  deadline timer;
  // The value at the loop's last wake-up.
  int64_t now;
  pthread_t thread;
  // For blocked.c: since when the thread has been busy, 0 while it waits; how often it has entered or left
  // libcurl to move data, so an odd number is a call; and the socket of that call.
  atomic_llong busy_since;
  atomic_uint call_number;
  atomic_int served_descriptor;
  ccurl_transfer *active;
  ptrdiff_t active_count;
  // The number of those that are connections, which carry no requests.
  long connection_count;
  // Handles for reuse.
  void *idle_handles[MAXIMUM_IDLE_HANDLES];
  int idle_handle_count;
  socket_list sockets;
  // Open connections by their descriptors.
  ccurl_transfer **connections;
  int connection_capacity;
  // The next loop of the process; see exiting.h.
  ccurl_loop *next_running;

  // The last state that blocked.c has seen, on the thread that calls it.
  unsigned blocked_call;
  int64_t blocked_cpu;

  // Guards the members below, and the commands of transfers.
  pthread_mutex_t mutex;
  ccurl_transfer *first_command;
  ccurl_transfer *last_command;
  bool is_woken;
  bool is_stopping;
};

struct ccurl_transfer {
  ccurl_loop *loop;
  atomic_int references;
  void *context;
  ccurl_events events;
  ccurl_connection_events connection_events;

  // The commands of other threads, and the next transfer with commands. Guarded by the loop's mutex.
  int commands;
  bool is_queued;
  ccurl_transfer *next_command;

  // All members below belong to the loop's thread.
  ccurl_transfer *previous;
  ccurl_transfer *next;
  void *easy;
  deadline deadline;
  int64_t start;
  // The deadlines for the connection and for the whole transfer; 0 is never.
  int64_t connect_deadline;
  int64_t total_deadline;
  int64_t connect_limit;
  int64_t idle_limit;
  int64_t last_activity;
  bool is_connection;
  bool is_open;
  // The descriptor of an open connection.
  int descriptor;
  // When an open connection needs a turn; 0 is never.
  int64_t turn_deadline;

  // A name is being resolved, which libcurl cannot stop without waiting for it.
  bool is_resolving;
  // The end has been reported; only the name resolution is left.
  bool is_abandoned;
  bool is_ended;
  bool is_paused;
  // There is a connection for the request. Other threads read it.
  atomic_bool is_prepared;
  // The caller no longer waits; set by other threads.
  atomic_bool is_given_up;
  bool uses_old_connection;
  bool uses_tls_1_3;
  socket_endpoint endpoint;
  // The number of connections that libcurl has opened for the request.
  long connection_count;
  // libcurl was about to retry the request.
  bool was_stopped_repeating;
  long bytes_before_request;
  bool has_head;
  bool has_response_bytes;
  // Why a function of ours has ended the transfer; CCURL_OK if none has.
  ccurl_status failure;

  char *head;
  size_t head_count;
  size_t head_capacity;

  const char *url;
  header_line *headers;
  bool is_post;
  bool needs_new_connection;
  const char *body;
  long long body_count;
  long long body_read;
  char message[ERROR_SIZE];
};

// Sets up the handle of a transfer. False if libcurl refuses an option; `*code` is the reason.
bool transfer_prepare(ccurl_transfer *transfer, int *code);
// The outcome of a transfer that libcurl ends with `code`.
ccurl_status transfer_status(const ccurl_transfer *transfer, int code);
bool transfer_was_sent(const ccurl_transfer *transfer);
// Sets the next time to check the transfer.
void transfer_schedule(ccurl_transfer *transfer);
void transfer_retain(ccurl_transfer *transfer);
// Passes a new transfer to the thread of its loop.
void loop_start(ccurl_transfer *transfer);

#endif
