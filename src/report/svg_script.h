/*
 * svg_script.h - what makes a flame graph answer: its style and its script, line by line.
 *
 * Without the script the picture is whole and can be read. With it, it is as wide as the
 * window; a click on a frame zooms, Escape and #reset undo that; `/` and Ctrl-F go to #search,
 * which looks for what is typed, whatever its letter case, in the labels of all frames, and
 * #matched says how much of the whole it found, each stack counted once; #turn puts the root
 * to the other end; #details shows what the mouse is over.
 *
 * The script reads the frames' attributes (see report_svg.c) and writes texts and
 * attributes: no name from a log is ever part of code or markup. It makes its controls
 * itself, so that where it does not run there are none. Sizes in it are those of
 * report_svg.c, and fit() is svg_put_fitted().
 */
#ifndef SUPPROF_SVG_SCRIPT_H
#define SUPPROF_SVG_SCRIPT_H

/* Lines with their ends, ended by NULL. Neither holds "]]>". */
extern const char *const svg_style[];
extern const char *const svg_script[];

#endif
