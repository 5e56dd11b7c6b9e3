#ifndef CSQLITE_RAW_SHIM_H
#define CSQLITE_RAW_SHIM_H

#include <sqlite3.h>

#endif
