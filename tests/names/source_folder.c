#include "names/source_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A test cannot go on without its files. */
static void check(bool is_done, const char *path)
{
    if (is_done)
        return;
    perror(path);
    abort();
}

void source_folder_init(struct source_folder *folder)
{
    strcpy(folder->path, "/tmp/test_names.XXXXXX");
    check(mkdtemp(folder->path) != NULL, folder->path);
}

void source_folder_release(struct source_folder *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder->path);
    check(system(command) == 0, folder->path);
}

void source_folder_write(const struct source_folder *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    for (char *slash = path + strlen(folder->path) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    check(file != NULL, path);
    check(fputs(text, file) >= 0, path);
    check(fclose(file) == 0, path);
}
