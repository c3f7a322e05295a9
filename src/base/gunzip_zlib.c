#include "base/gunzip.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 15 + 16 };

struct gunzip {
    z_stream zip;
};

struct gunzip *gunzip_new(void)
{
    struct gunzip *gunzip = mem_zeroed(1, sizeof *gunzip);
    if (inflateInit2(&gunzip->zip, GZIP_WINDOW_BITS) != Z_OK)
        mem_exhausted();
    return gunzip;
}

void gunzip_free(struct gunzip *gunzip)
{
    if (gunzip == NULL)
        return;
    inflateEnd(&gunzip->zip);
    free(gunzip);
}

void gunzip_start(struct gunzip *gunzip)
{
    inflateReset(&gunzip->zip);
}

enum gunzip_result gunzip_step(struct gunzip *gunzip, struct gunzip_io *io)
{
    z_stream *zip = &gunzip->zip;
    unsigned in_length = io->in_length > INT_MAX ? INT_MAX : (unsigned)io->in_length;
    unsigned out_length = io->out_length > INT_MAX ? INT_MAX : (unsigned)io->out_length;
    zip->next_in = (unsigned char *)io->in;
    zip->avail_in = in_length;
    zip->next_out = (unsigned char *)io->out;
    zip->avail_out = out_length;
    int result = inflate(zip, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
        mem_exhausted();
    io->in += in_length - zip->avail_in;
    io->in_length -= in_length - zip->avail_in;
    io->out += out_length - zip->avail_out;
    io->out_length -= out_length - zip->avail_out;
    if (result == Z_STREAM_END)
        return GUNZIP_ENDED;
    return result == Z_DATA_ERROR || result == Z_NEED_DICT ? GUNZIP_DAMAGED : GUNZIP_GOES_ON;
}
