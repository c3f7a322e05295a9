/*
 * gunzip.h - one member of a gzip file, decompressed piece by piece.
 *
 * There are two sources: gunzip_isal.c uses the library ISA-L where it is installed, gunzip_zlib.c
 * uses zlib alone. Any bytes, damaged ones too, give the same bytes and the same result with both.
 */
#ifndef SUPPROF_GUNZIP_H
#define SUPPROF_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gunzip;

/* What a step is given, and what is left of it. */
struct gunzip_io {
    const unsigned char *in; /* [in_length] */
    size_t in_length;
    bool has_more; /* more input follows at once, and there is room for it */
    char *out;     /* [out_length] */
    size_t out_length;
};

enum gunzip_result {
    GUNZIP_GOES_ON, /* if there was no output, all input is used */
    /* Call it again with more input after what is left; only where `has_more` is set. */
    GUNZIP_WANTS_MORE,
    GUNZIP_ENDED,  /* what is left of the input comes after the member */
    GUNZIP_DAMAGED /* after the output before the damage */
};

/* The caller frees the result. gunzip_start() comes next. */
struct gunzip *gunzip_new(void);
void gunzip_free(struct gunzip *gunzip);

/* Begins a member, at its header. */
void gunzip_start(struct gunzip *gunzip);

/* Uses input and makes output, as far as there is any and room for it. */
enum gunzip_result gunzip_step(struct gunzip *gunzip, struct gunzip_io *io);

#endif
