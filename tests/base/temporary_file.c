#include "base/temporary_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char temporary_file[] = "/tmp/supprof-test-XXXXXX";

void temporary_file_make(void)
{
    int file = mkstemp(temporary_file);
    if (file < 0) {
        perror(temporary_file);
        abort();
    }
    close(file);
}

void temporary_file_remove(void)
{
    unlink(temporary_file);
}
