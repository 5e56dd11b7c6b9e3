#ifndef CCURL_LOOP_H
#define CCURL_LOOP_H

#include <pthread.h>
#include <stdatomic.h>

#include "deadlines.h"
#include "library.h"
#include "poller.h"
#include "sockets.h"

// What other threads ask of a transfer.
enum {
  COMMAND_START = 1,
  COMMAND_CANCEL = 2,
  COMMAND_RESUME = 4,
  COMMAND_WAKE = 8,
};

enum { MAXIMUM_IDLE_HANDLES = 64 };

// What libcurl takes for no limit; its own default is 5 minutes.
#define NO_CONNECT_MILLISECONDS 86400000L

struct ccurl_loop {
  const ccurl_library *library;
  ccurl_settings settings;
  void *multi;
  poller *poller;
  int wake_reader;
  int wake_writer;
  deadline_heap deadlines;
  // When libcurl wants its turn.
  deadline timer;
  // As of the last time that the loop woke.
  int64_t now;
  pthread_t thread;
  // For blocked.c: since when the thread has been busy, 0 while it waits; how often it has gone into libcurl
  // to move data or come back, so that an odd number is a call; and the socket of that call.
  atomic_llong busy_since;
  atomic_uint call_number;
  atomic_int served_descriptor;
  ccurl_transfer *active;
  ptrdiff_t active_count;
  // How many of them are connections, which carry no requests.
  long connection_count;
  // Handles that can be used again.
  void *idle_handles[MAXIMUM_IDLE_HANDLES];
  int idle_handle_count;
  socket_list sockets;
  // Open connections by their descriptors.
  ccurl_transfer **connections;
  int connection_capacity;
  // The next loop of the process; see exiting.h.
  ccurl_loop *next_running;

  // What blocked.c has seen last, on the thread that calls it.
  unsigned blocked_call;
  int64_t blocked_cpu;

  // Guards what follows, and the commands of transfers.
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

  // What other threads ask for, and the next transfer of which something is asked. Guarded by the
  // loop's mutex.
  int commands;
  bool is_queued;
  ccurl_transfer *next_command;

  // All that follows is the loop's thread's.
  ccurl_transfer *previous;
  ccurl_transfer *next;
  void *easy;
  deadline deadline;
  int64_t start;
  // When the connection has to be there, and when all; 0 is never.
  int64_t connect_deadline;
  int64_t total_deadline;
  int64_t connect_limit;
  int64_t idle_limit;
  int64_t last_activity;
  bool is_connection;
  bool is_open;
  // The descriptor of a connection that is open.
  int descriptor;
  // When an open connection wants its turn; 0 is never.
  int64_t turn_deadline;

  // A name is being resolved, which libcurl cannot stop without waiting for it.
  bool is_resolving;
  // The end has been reported; what is left waits for a name.
  bool is_abandoned;
  bool is_ended;
  bool is_paused;
  // There is a connection for the request. Other threads read it.
  atomic_bool is_prepared;
  // The caller waits no more; set by other threads.
  atomic_bool is_given_up;
  bool uses_old_connection;
  bool uses_tls_1_3;
  socket_endpoint endpoint;
  // How many connections libcurl has made for the request.
  long connection_count;
  // libcurl was about to send the request again.
  bool was_stopped_repeating;
  long bytes_before_request;
  bool has_head;
  bool has_response_bytes;
  // Why a function of ours has ended the transfer; CCURL_OK when it has not.
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

// Sets the handle of a transfer up. False when libcurl refuses an option, which `*code` says.
bool transfer_prepare(ccurl_transfer *transfer, int *code);
// How a transfer ended that libcurl ends with `code`.
ccurl_status transfer_status(const ccurl_transfer *transfer, int code);
bool transfer_was_sent(const ccurl_transfer *transfer);
// Sets the next time to look after the transfer.
void transfer_schedule(ccurl_transfer *transfer);
void transfer_retain(ccurl_transfer *transfer);
// Hands a new transfer to the thread of its loop.
void loop_start(ccurl_transfer *transfer);

#endif
