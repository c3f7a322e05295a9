#include "base/spelling.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t spelling_distance(struct span a, struct span b)
{
    size_t rows[SPELLING_LENGTH_MAX + 1][SPELLING_LENGTH_MAX + 1];
    if (a.length > SPELLING_LENGTH_MAX || b.length > SPELLING_LENGTH_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i <= a.length; i++)
        rows[i][0] = i;
    for (size_t k = 0; k <= b.length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= a.length; i++)
        for (size_t k = 1; k <= b.length; k++) {
            size_t changed = rows[i - 1][k - 1] + (a.at[i - 1] != b.at[k - 1]);
            rows[i][k] = least(changed, least(rows[i - 1][k], rows[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a.at[i - 1] == b.at[k - 2] && a.at[i - 2] == b.at[k - 1])
                rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[a.length][b.length];
}
