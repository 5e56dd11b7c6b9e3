// Every function is in the header. The build needs a file to compile.
#include "CTreeswiftAtomics.h"
