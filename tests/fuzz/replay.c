/*
 * Gives each file that is named to the fuzz target, so that what was once found
 * stays found, on machines without libFuzzer too.
 */
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    uint8_t *data = NULL;
    size_t length = 0, capacity = 0, got;
    do {
        MEM_GROW(data, capacity, length + 65536);
        got = fread(data + length, 1, capacity - length, file);
        length += got;
    } while (got > 0);
    fclose(file);
    LLVMFuzzerTestOneInput(data, length);
    free(data);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: replay FILE...\n", stderr);
        return EXIT_FAILURE;
    }
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i]))
            return EXIT_FAILURE;
    printf("%d files replayed\n", argc - 1);
    return EXIT_SUCCESS;
}
