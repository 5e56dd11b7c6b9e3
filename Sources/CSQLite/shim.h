#ifndef TREESWIFT_CSQLITE_SHIM_H
#define TREESWIFT_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
