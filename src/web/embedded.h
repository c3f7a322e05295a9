/*
 * embedded.h - the script and style files of web pages, embedded in the program.
 *
 * They are ordinary files in this folder; embed.cmake turns them into C at build time. They
 * never contain "]]>", "</script" or "</style".
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
 * For flame graphs as SVG (report_svg.c). Without the script the picture is complete and can
 * be read. With it, the picture is as wide as the window; a click on a frame zooms, Escape and
 * #reset undo that; `/` and Ctrl-F go to #search, which looks for the typed text, ignoring
 * letter case, in the labels of all frames; #matched shows the part of the whole that it found,
 * each stack counted once; #turn puts the root to the other end; #details describes the frame
 * under the mouse.
 *
 * The script reads the frames' attributes and writes texts and attributes: a name from a log
 * is never part of code or markup. It makes its controls itself, so there are none if it does
 * not run. Its fitLabel() has the same result as svg_put_fitted_label().
 */
extern const struct web_file web_flame_graph_css, web_flame_graph_js;

/*
 * For the HTML report (report_html.c): the script is the modules report_*.js joined to one, and
 * reads the page's data (html_data.h).
 */
extern const struct web_file web_report_css, web_report_js;

#endif
