// Simulates a failing disk. Preloaded into a program, it lets the Nth call on a file below one folder fail.
//
// STRESS_FOLDER  the folder; files elsewhere are not affected
// STRESS_CALL    the number of the call, from 1; 0 counts only
// STRESS_KIND    eio or enospc (the error of that call), short (that write ends halfway), full (ENOSPC for
//              every call that needs space, from that call on), random (one call of STRESS_CALL on
//              average fails, in one of the first three ways)
// STRESS_SEED    distinguishes the random faults of one run from those of another
// STRESS_REPORT  a file elsewhere that gets a line for the call that failed
//
// It counts these calls: open for writing, write, pwrite, fsync, fdatasync, ftruncate, rename and unlink.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { most_files = 4096 };

static atomic_bool ours[most_files];
static atomic_long calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool is_ours(const char *path) {
  const char *folder = getenv("STRESS_FOLDER");
  return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_kind(const char *kind) {
  const char *asked = getenv("STRESS_KIND");
  return asked && strcmp(asked, kind) == 0;
}

static void report(long call, const char *name) {
  const char *path = getenv("STRESS_REPORT");
  if (!path) return;
  int file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char line[64];
  int length = snprintf(line, sizeof line, "%ld %s\n", call, name);
  if (REAL(write)(file, line, (size_t)length) < 0) abort();
  close(file);
}

typedef enum { succeed, halve, refuse } fate;

static fate next_at_random(const char *name, bool is_write, long call, long average) {
  const char *seed = getenv("STRESS_SEED");
  uint64_t number = (uint64_t)call * 2 + 1 + (seed ? (uint64_t)atol(seed) << 32 : 0);
  // The mixing function of splitmix64.
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
  number ^= number >> 31;
  if (number % (uint64_t)average != 0) return succeed;
  report(call, name);
  unsigned kind = (unsigned)(number >> 40) % 3;
  if (kind == 2 && is_write) return halve;
  errno = kind == 1 ? ENOSPC : EIO;
  return refuse;
}

// Counts a call and returns its outcome; sets errno.
static fate next(const char *name, bool is_write, bool needs_space) {
  const char *asked = getenv("STRESS_CALL");
  long number = asked ? atol(asked) : 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (number == 0) return succeed;
  if (is_kind("random")) return next_at_random(name, is_write, call, number);
  bool full = is_kind("full");
  if (full ? call < number || !needs_space : call != number) return succeed;
  report(call, name);
  if (is_write && is_kind("short")) return halve;
  errno = full || is_kind("enospc") ? ENOSPC : EIO;
  return refuse;
}

static int opened(int file, bool is_below) {
  if (file >= 0 && file < most_files) atomic_store(&ours[file], is_below);
  return file;
}

static bool is_watched(int file) { return file >= 0 && file < most_files && atomic_load(&ours[file]); }

#define DEFINE_OPEN(name)                                                      \
  int name(const char *path, int flags, ...) {                                 \
    mode_t mode = 0;                                                           \
    if (flags & O_CREAT) {                                                     \
      va_list rest;                                                            \
      va_start(rest, flags);                                                   \
      mode = va_arg(rest, mode_t);                                             \
      va_end(rest);                                                            \
    }                                                                          \
    bool below = is_ours(path);                                                \
    if (below && (flags & O_ACCMODE) != O_RDONLY &&                            \
        next("open", false, (flags & O_CREAT) && access(path, F_OK) != 0) == refuse) \
      return -1;                                                               \
    return opened(REAL(name)(path, flags, mode), below);                       \
  }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int close(int file) {
  opened(file, false);
  return REAL(close)(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (is_watched(file)) {
    fate fate = next("write", true, true);
    if (fate == refuse) return -1;
    if (fate == halve) count /= 2;
  }
  return REAL(write)(file, bytes, count);
}

#define DEFINE_PWRITE(name, offset_type)                                       \
  ssize_t name(int file, const void *bytes, size_t count, offset_type at) {    \
    if (is_watched(file)) {                                                    \
      fate fate = next("pwrite", true, true);                                  \
      if (fate == refuse) return -1;                                           \
      if (fate == halve) count /= 2;                                           \
    }                                                                          \
    return REAL(name)(file, bytes, count, at);                                 \
  }

DEFINE_PWRITE(pwrite, off_t)
DEFINE_PWRITE(pwrite64, off64_t)

#define DEFINE_ON_FILE(name, parameters, arguments)                            \
  int name parameters {                                                        \
    if (is_watched(file) && next(#name, false, false) == refuse) return -1;                    \
    return REAL(name) arguments;                                               \
  }

DEFINE_ON_FILE(fsync, (int file), (file))
DEFINE_ON_FILE(fdatasync, (int file), (file))
DEFINE_ON_FILE(ftruncate, (int file, off_t size), (file, size))
DEFINE_ON_FILE(ftruncate64, (int file, off64_t size), (file, size))

int rename(const char *from, const char *to) {
  if (is_ours(to) && next("rename", false, false) == refuse) return -1;
  return REAL(rename)(from, to);
}

int unlink(const char *path) {
  if (is_ours(path) && next("unlink", false, false) == refuse) return -1;
  return REAL(unlink)(path);
}
