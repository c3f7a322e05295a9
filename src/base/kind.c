#include "base/kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define UNPACK "; unpack it and name the log that was in it"
#define PIPE(program) "; unpack it first, or give supprof its text: " program " -dc FILE | supprof"
#define PICTURE(format) "is a picture (" format "); name a game log"

/* From the specifications of the formats: signatures at the start of the file, or at an offset. */
static const struct kind {
    size_t offset;
    size_t length;
    const char *signature; /* [length] */
    const char *refusal;
} kinds[] = {
    {0, 4, "PK\x03\x04", "is a zip archive" UNPACK},
    {0, 4, "PK\x05\x06", "is an empty zip archive; name a game log"},
    {0, 6, "7z\xbc\xaf\x27\x1c", "is a 7-Zip archive" UNPACK},
    {0, 6, "Rar!\x1a\x07", "is a RAR archive" UNPACK},
    {0, 6, "\xfd\x37zXZ\0", "is compressed with xz" PIPE("xz")},
    {4, 6, "1AY&SY", "is compressed with bzip2" PIPE("bzip2")},
    {0, 4, "\x28\xb5\x2f\xfd", "is compressed with zstd" PIPE("zstd")},
    {0, 8, "\x89PNG\r\n\x1a\n", PICTURE("PNG")},
    {0, 3, "\xff\xd8\xff", PICTURE("JPEG")},
    {0, 6, "GIF87a", PICTURE("GIF")},
    {0, 6, "GIF89a", PICTURE("GIF")},
    {8, 4, "WEBP", PICTURE("WebP")},
    {0, 4, "DDS ", PICTURE("DDS")},
    {0, 4, "\x7f\x45LF", "is a program; name a game log"},
};

/* "MZ" alone could begin a text; a program's header continues with numbers. */
static bool is_windows_program(struct span start)
{
    return start.length >= 64 && memcmp(start.at, "MZ", 2) == 0 &&
           memchr(start.at, '\0', 64) != NULL;
}

/* "BM", the size of the file, and four zeros. */
static bool is_bitmap(struct span start)
{
    return start.length >= 10 && memcmp(start.at, "BM", 2) == 0 &&
           memcmp(start.at + 6, "\0\0\0\0", 4) == 0;
}

const char *kind_refusal(struct span start)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (start.length >= kinds[i].offset + kinds[i].length &&
            memcmp(start.at + kinds[i].offset, kinds[i].signature, kinds[i].length) == 0)
            return kinds[i].refusal;
    if (is_windows_program(start))
        return "is a program; name a game log";
    return is_bitmap(start) ? PICTURE("BMP") : NULL;
}
