#include "head.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
static bool is_space(char byte) { return byte == ' ' || byte == '\t'; }

// RFC 9112, section 4. For HTTP/2, libcurl generates the line, without a minor version.
int head_status(const char *head, size_t count) {
  const char *end = memchr(head, '\n', count);
  if (end == NULL || count < 5 || memcmp(head, "HTTP/", 5) != 0) return -1;
  const char *next = head + 5;
  if (!is_digit(*next++)) return -1;
  if (*next == '.') {
    if (!is_digit(next[1])) return -1;
    next += 2;
  }
  if (*next++ != ' ') return -1;
  int status = 0;
  for (int index = 0; index < 3; index++, next++) {
    if (!is_digit(*next)) return -1;
    status = status * 10 + (*next - '0');
  }
  if (*next != ' ' && *next != '\r' && *next != '\n') return -1;
  return status < 100 ? -1 : status;
}

// Reads the numbers of a length, which may be one number several times, separated by commas (RFC 9110,
// section 8.6). `*length` is -1 before the first.
static bool read_lengths(const char *text, const char *end, long long *length) {
  for (;;) {
    while (text < end && is_space(*text)) text++;
    long long number = 0;
    int digits = 0;
    for (; text < end && is_digit(*text); text++) {
      if (__builtin_mul_overflow(number, 10, &number) ||
          __builtin_add_overflow(number, *text - '0', &number)) {
        return false;
      }
      digits++;
    }
    if (digits == 0 || (*length >= 0 && *length != number)) return false;
    *length = number;
    while (text < end && is_space(*text)) text++;
    if (text == end) return true;
    if (*text++ != ',') return false;
  }
}

// libcurl uses the number at the start of the last such line and ignores the rest.
bool head_has_clear_length(const char *head, size_t count) {
  static const char name[] = "Content-Length:";
  long long length = -1;
  const char *end = head + count;
  for (const char *line = head; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    if (next == NULL) return true;
    const char *last = next > line && next[-1] == '\r' ? next - 1 : next;
    size_t line_count = (size_t)(last - line);
    if (line_count >= sizeof name - 1 && strncasecmp(line, name, sizeof name - 1) == 0 &&
        !read_lengths(line + sizeof name - 1, last, &length)) {
      return false;
    }
    line = next + 1;
  }
  return true;
}
