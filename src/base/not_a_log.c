#include "base/not_a_log.h"

#define UNPACK "; unpack it and choose the log that was in it"
#define PIPE(program) "; unpack it first, or give supprof its text: " program " -dc FILE | supprof"
#define CHOOSE "; choose a game log"

/* From the specifications of the formats: signatures at the start of the file, or at an offset. */
static const struct kind {
    size_t offset;
    size_t length;
    const char *signature; /* [length] */
    struct not_a_log is;
} kinds[] = {
    {0, 4, "PK\x03\x04", {"archive", "is a zip archive" UNPACK}},
    {0, 4, "PK\x05\x06", {"not-a-log", "is an empty zip archive" CHOOSE}},
    {0, 6, "7z\xbc\xaf\x27\x1c", {"archive", "is a 7-Zip archive" UNPACK}},
    {0, 6, "Rar!\x1a\x07", {"archive", "is a RAR archive" UNPACK}},
    {0, 6, "\xfd\x37zXZ\0", {"archive", "is compressed with xz" PIPE("xz")}},
    {4, 6, "1AY&SY", {"archive", "is compressed with bzip2" PIPE("bzip2")}},
    {0, 4, "\x28\xb5\x2f\xfd", {"archive", "is compressed with zstd" PIPE("zstd")}},
    {0, 8, "\x89PNG\r\n\x1a\n", {"not-a-log", "is a picture (PNG)" CHOOSE}},
    {0, 3, "\xff\xd8\xff", {"not-a-log", "is a picture (JPEG)" CHOOSE}},
    {0, 6, "GIF87a", {"not-a-log", "is a picture (GIF)" CHOOSE}},
    {0, 6, "GIF89a", {"not-a-log", "is a picture (GIF)" CHOOSE}},
    {8, 4, "WEBP", {"not-a-log", "is a picture (WebP)" CHOOSE}},
    {0, 4, "DDS ", {"not-a-log", "is a picture (DDS)" CHOOSE}},
    {0, 4, "\x7f\x45LF", {"not-a-log", "is a program" CHOOSE}},
};
static const struct not_a_log program = {"not-a-log", "is a program" CHOOSE};
static const struct not_a_log bitmap = {"not-a-log", "is a picture (BMP)" CHOOSE};

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

const struct not_a_log *not_a_log_find(struct span start)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (start.length >= kinds[i].offset + kinds[i].length &&
            memcmp(start.at + kinds[i].offset, kinds[i].signature, kinds[i].length) == 0)
            return &kinds[i].is;
    return is_windows_program(start) ? &program : is_bitmap(start) ? &bitmap : NULL;
}
