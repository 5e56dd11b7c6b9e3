#include <string.h>

#include "loop.h"

// The alerts of a server that has refused the client's certificate. In TLS 1.3 the alert may come after the
// request, which the server has not read (RFC 8446, section 4.4.2.4); before that version the handshake has
// ended when a request is sent.
static bool is_handshake_alert(const char *message) {
  static const char *const alerts[] = {
      "alert certificate required", "alert bad certificate",     "alert unsupported certificate",
      "alert certificate revoked",  "alert certificate expired", "alert certificate unknown",
      "alert unknown ca",           "alert access denied",
  };
  for (size_t index = 0; index < sizeof alerts / sizeof *alerts; index++) {
    if (strstr(message, alerts[index]) != NULL) return true;
  }
  return false;
}

static bool was_refused_by_alert(const ccurl_transfer *transfer) {
  return transfer->uses_tls_1_3 && !transfer->has_response_bytes && !transfer->uses_old_connection &&
         is_handshake_alert(transfer->message);
}

bool transfer_was_sent(const ccurl_transfer *transfer) {
  if (!transfer->is_prepared || was_refused_by_alert(transfer)) return false;
  if (transfer->has_response_bytes) return true;
  long bytes = 0;
  transfer->loop->library->easy_getinfo(transfer->easy, INFO_REQUEST_SIZE, &bytes);
  return bytes > transfer->bytes_before_request;
}

static ccurl_status status_before_request(int code) {
  switch (code) {
    case CODE_UNSUPPORTED_PROTOCOL:
    case CODE_URL_MALFORMAT: return CCURL_INVALID;
    // An option that the configuration requires.
    case CODE_NOT_BUILT_IN:
    case CODE_UNKNOWN_OPTION: return CCURL_UNSUPPORTED;
    case CODE_COULDNT_RESOLVE_HOST: return CCURL_UNKNOWN_HOST;
    case CODE_COULDNT_RESOLVE_PROXY:
    case CODE_PROXY: return CCURL_PROXY;
    case CODE_OPERATION_TIMEDOUT: return CCURL_CONNECT_TIMED_OUT;
    case CODE_PEER_FAILED_VERIFICATION: return CCURL_CERTIFICATE;
    case CODE_SSL_CONNECT_ERROR:
    // Engines, ciphers, certificates, their authorities and revocation.
    case 53: case 54: case 58: case 59: case 64: case 66: case 77: case 80: case 82: case 83:
    case 90: case 91: case 98: return CCURL_TLS;
    // libcurl reports this for a proxy's response to CONNECT.
    case CODE_RECV_ERROR: return CCURL_PROXY;
    default: return CCURL_CANNOT_CONNECT;
  }
}

// Some failures have no code of their own, but a message that has not changed.
static bool says(const ccurl_transfer *transfer, const char *words) {
  return strstr(transfer->message, words) != NULL;
}

static ccurl_status status_after_request(const ccurl_transfer *transfer, int code) {
  switch (code) {
    case CODE_OK: return transfer->has_head ? CCURL_OK : CCURL_LOST;
    // libcurl reports this for a response without a status line.
    case CODE_UNSUPPORTED_PROTOCOL:
    case CODE_WEIRD_SERVER_REPLY:
    // And for a line of a head that is not a field.
    case CODE_BAD_FUNCTION_ARGUMENT: return CCURL_BAD_RESPONSE;
    case CODE_BAD_CONTENT_ENCODING:
    // libcurl's decoder could not pass on its output. Our functions report their own reasons for refusing.
    case CODE_WRITE_ERROR: return CCURL_BAD_ENCODING;
    // A line of a head, or of the trailer after the last chunk, exceeds libcurl's buffer for one.
    case CODE_OUT_OF_MEMORY:
    case CODE_TOO_LARGE: return CCURL_HEAD_TOO_LARGE;
    case CODE_RECV_ERROR:
      if (says(transfer, "Out of memory in chunked-encoding") ||
          says(transfer, "Too large response headers")) {
        return CCURL_HEAD_TOO_LARGE;
      }
      if (says(transfer, "in chunked-encoding")) return CCURL_BAD_RESPONSE;
      break;
    default: break;
  }
  // libcurl cannot send a long body again after it has started to read it.
  bool is_broken = code == CODE_SEND_ERROR || code == CODE_RECV_ERROR ||
                   code == CODE_CANNOT_REWIND || code == CODE_HTTP2 || code == CODE_HTTP2_STREAM;
  bool is_old = transfer->uses_old_connection && !transfer->has_response_bytes;
  return is_old && is_broken ? CCURL_STALE : CCURL_LOST;
}

ccurl_status transfer_status(const ccurl_transfer *transfer, int code) {
  if (transfer->failure != CCURL_OK) return transfer->failure;
  if (!transfer->is_prepared) {
    return code == CODE_OUT_OF_MEMORY ? CCURL_NO_MEMORY : status_before_request(code);
  }
  if (was_refused_by_alert(transfer)) return CCURL_TLS;
  if (transfer->was_stopped_repeating) {
    return transfer->has_response_bytes ? CCURL_LOST : CCURL_STALE;
  }
  return status_after_request(transfer, code);
}
