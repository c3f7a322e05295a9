#include "web/embedded.h"

#include "embedded.inc"
