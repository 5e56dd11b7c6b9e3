#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CCurl.h"

// The state that the waiting thread and the loop's thread share.
typedef struct {
  const ccurl_receiver *receiver;
  ccurl_response *response;
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool has_ended;
  ccurl_status status;
} post;

static bool on_head(void *context, int status, const char *head, size_t count) {
  (void)head, (void)count;
  ((post *)context)->response->status = status;
  return false;
}

static ccurl_flow on_body(void *context, const void *bytes, size_t count) {
  const ccurl_receiver *receiver = ((post *)context)->receiver;
  return receiver->receive(receiver->context, bytes, count) ? CCURL_TAKEN : CCURL_STOP;
}

static char *copy(const char *text) { return text == NULL ? NULL : strdup(text); }

static void on_end(void *context, const ccurl_end *end) {
  post *post = context;
  pthread_mutex_lock(&post->mutex);
  post->status = end->status;
  post->response->content_type = copy(end->content_type);
  post->response->location = copy(end->redirect);
  post->has_ended = true;
  pthread_cond_signal(&post->ended);
  pthread_mutex_unlock(&post->mutex);
}

ccurl_status ccurl_post(
    const ccurl_library *library, const ccurl_request *request, const ccurl_receiver *receiver,
    ccurl_response *response) {
  memset(response, 0, sizeof *response);
  ccurl_settings settings = {.connections_per_host = 1, .idle_connections = 1};
  ccurl_loop *loop = ccurl_loop_start(library, &settings);
  if (loop == NULL) return CCURL_NO_MEMORY;
  post post = {.receiver = receiver, .response = response, .status = CCURL_NO_MEMORY};
  pthread_mutex_init(&post.mutex, NULL);
  pthread_cond_init(&post.ended, NULL);
  ccurl_events events = {.on_head = on_head, .on_body = on_body, .on_end = on_end};
  ccurl_transfer *transfer = ccurl_send_request(loop, request, &events, &post);
  if (transfer != NULL) {
    pthread_mutex_lock(&post.mutex);
    while (!post.has_ended) pthread_cond_wait(&post.ended, &post.mutex);
    pthread_mutex_unlock(&post.mutex);
    ccurl_release(transfer);
  }
  ccurl_loop_stop(loop);
  pthread_mutex_destroy(&post.mutex);
  pthread_cond_destroy(&post.ended);
  return post.status;
}

void ccurl_clear(ccurl_response *response) {
  free(response->content_type);
  free(response->location);
  *response = (ccurl_response){0};
}
