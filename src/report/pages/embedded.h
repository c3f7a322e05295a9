/*
 * embedded.h - the script and style files of web pages, embedded in the program.
 *
 * They are ordinary files in this folder and those below it; embed.cmake turns them into C at build
 * time. They never contain "]]>", "</script" or "</style".
 */
#pragma once

#include <stddef.h>

struct web_file {
    const char *at; /* [length] */
    size_t length;
    const char *source; /* as a policy names the file: 'sha256-...' */
};

/* The light colours of frame_colors.css, such as "#5186bf". The first are those of the largest
 * files. */
enum { PALETTE_OTHERS = 8, PALETTE_NO_FILE, PALETTE_COUNT };
extern const char web_palette[PALETTE_COUNT][sizeof "#5186bf"];

/*
 * For flame graphs as SVG (svg.c). Without the script the picture is complete and can
 * be read. With it, the picture is as wide as the window; a click on a frame zooms, Escape and
 * #reset undo that; `/` and Ctrl-F go to #search, which looks for the typed text, ignoring
 * letter case, in the labels of all frames; #matched shows the part of the whole that it found,
 * each stack counted once; #turn puts the root to the other end; #details describes the frame
 * under the mouse.
 *
 * The script reads the frames' attributes and writes texts and attributes: a name from a log
 * is never part of code or markup. It makes its controls itself, so there are none if it does
 * not run. It holds frames.js, which the script of a report holds, too.
 */
extern const struct web_file web_flame_graph_css, web_flame_graph_js;

/*
 * For the HTML report (html_data.c): the script is the modules report_*.js joined to one, and
 * reads the page's data (html_data.h).
 */
extern const struct web_file web_report_css, web_report_js;
