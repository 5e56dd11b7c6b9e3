// Atomic operations on memory. Swift's own need macOS 15 or iOS 18.
//
// The types are those that Swift imports as UInt32, UInt and UInt64 on all platforms. The header is also valid C++, for
// targets with C++ interoperability.

#ifndef CTREESWIFTATOMICS_H
#define CTREESWIFTATOMICS_H

#include <stdbool.h>

static inline unsigned treeswift_load_hint(const unsigned *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void treeswift_store_hint(unsigned *_Nonnull word, unsigned value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Acquires what the thread that stored the address has written.
static inline unsigned long treeswift_load_address(const unsigned long *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void treeswift_store_address(unsigned long *_Nonnull word, unsigned long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Stores the address if there is none, and returns the one that was there before.
static inline unsigned long treeswift_store_first_address(
    unsigned long *_Nonnull word, unsigned long value) {
  unsigned long known = 0;
  __atomic_compare_exchange_n(word, &known, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return known;
}

static inline unsigned long long treeswift_load(const unsigned long long *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static inline void treeswift_store(unsigned long long *_Nonnull word, unsigned long long value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/// Stores `value` if the word is `expected`, and returns whether it was.
static inline bool treeswift_replace(
    unsigned long long *_Nonnull word, unsigned long long expected, unsigned long long value) {
  return __atomic_compare_exchange_n(
      word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif
