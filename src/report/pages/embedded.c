#include "report/pages/embedded.h"

#include "embedded.inc"
