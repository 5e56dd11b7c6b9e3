#ifndef SECURE_H
#define SECURE_H

#include "library.h"

/// A connection of hiredis with TLS on a descriptor, which it owns; NULL if TLS cannot be started.
void *secure_open(const chiredis_library *library, int descriptor, const chiredis_tls *settings);
chiredis_status secure_write(const chiredis_library *library, void *context);
chiredis_status secure_read(const chiredis_library *library, void *context);

#endif
