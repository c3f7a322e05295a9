/*
 * embedded.h - the files that web pages are made of, as part of the program.
 *
 * They are real files in this folder, and embed.cmake makes C of them at build time. None
 * holds "]]>", "</script" or "</style".
 */
#ifndef SUPPROF_EMBEDDED_H
#define SUPPROF_EMBEDDED_H

#include <stddef.h>

struct web_file {
    const char *at; /* [length] */
    size_t length;
    const char *sha256; /* of the file, 64 hexadecimal digits */
};

/*
 * Of flame graphs as SVG (report_svg.c): without the script the picture is whole and can be
 * read. With it, it is as wide as the window; a click on a frame zooms, Escape and #reset undo
 * that; `/` and Ctrl-F go to #search, which looks for what is typed, whatever its letter case,
 * in the labels of all frames, and #matched says how much of the whole it found, each stack
 * counted once; #turn puts the root to the other end; #details shows what the mouse is over.
 *
 * The script reads the frames' attributes and writes texts and attributes: no name from a log
 * is ever part of code or markup. It makes its controls itself, so that where it does not run
 * there are none. Its fitLabel() does what svg_put_fitted_label() does.
 */
extern const struct web_file web_flame_graph_css, web_flame_graph_js;

/*
 * Of the HTML report (report_html.c): the script is the modules report_*.js as one, and reads
 * what the page knows (html_data.h).
 */
extern const struct web_file web_report_css, web_report_js;

#endif
