#include <stdint.h>

#include "library.h"

// The layouts of a value of hiredis' parser. Version 1.0 added members.

typedef struct {
  int kind;
  long long integer;
  size_t count;
  char *bytes;
  size_t element_count;
  void **elements;
} value_of_0_14;

typedef struct {
  int kind;
  long long integer;
  double number;
  size_t count;
  char *bytes;
  char text_kind[4];
  size_t element_count;
  void **elements;
} value_of_1;

// The kinds that only RESP3 has, which is not requested: hiredis maps double, big number and verbatim text to
// bytes, boolean to an integer, and map, set and push to an array.
static int resp2_kind(int kind) {
  switch (kind) {
    case 7: case 13: case 14: return CHIREDIS_STRING;
    case 8: return CHIREDIS_INTEGER;
    case 9: case 10: case 11: case 12: return CHIREDIS_ARRAY;
    default: return kind;
  }
}

chiredis_value chiredis_value_read(const chiredis_library *library, const void *value) {
  if (library->is_version_1) {
    const value_of_1 *read = value;
    return (chiredis_value){
        resp2_kind(read->kind), read->integer, read->bytes, read->count, read->elements, read->element_count};
  }
  const value_of_0_14 *read = value;
  return (chiredis_value){
      read->kind, read->integer, read->bytes, read->count, read->elements, read->element_count};
}

void chiredis_value_free(const chiredis_library *library, void *value) { library->free_reply(value); }
