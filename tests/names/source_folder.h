/*
 * source_folder.h - a folder of Lua sources that exists for one test.
 */
#pragma once

struct source_folder {
    char path[32];
};

/* Makes an empty folder below /tmp. */
void source_folder_init(struct source_folder *folder);
void source_folder_release(struct source_folder *folder); /* removes it and all below */

/* Writes a file of that name below the folder, with the folders above it. */
void source_folder_write(const struct source_folder *folder, const char *name, const char *text);
