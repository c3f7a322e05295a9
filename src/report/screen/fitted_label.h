/*
 * fitted_label.h - the label of a table row in the columns that are left for it.
 *
 *     BuildThreatMap       lua/ai/aiutilities.lua:812
 *     ReclaimablesInArea   lua/…aiutilities.lua:812         the place is cut before its file
 *     Reclaimab…  …aiutilities.lua:812                      and then the name
 *     …;Scan;GetThreatAtPosition lua/ai/aiutilities.lua:20  a stack keeps its last frame, and the
 *     …;Scan;GetThreatAtPosition                            names of callers
 */
#pragma once

#include "base/text.h"
#include "report/figures/row_groups.h"

/* The room for the labels of a table. */
struct label_room {
    enum table_by by;
    size_t width;      /* columns for name and place, at least 4; SIZE_MAX: no limit */
    size_t name_width; /* of names, to align the places after them */
    bool is_colored;
    bool is_bold; /* the name, if it is colored */
};

/* Appends a name and a place, see row_label_put(); the place may be empty. */
void fitted_label_put(struct text *line, const struct label_room *room, struct span name,
                      struct span place);

/* The columns in which a label keeps its name, and the name of its file or its last frame. */
size_t fitted_label_need(enum table_by by, struct span name, struct span place);
