#include "report/html/html_json.h"

#include "base/json.h"

#include <string.h>

void html_put_key(struct text *json, const char *key)
{
    char last = json->length > 0 ? json->at[json->length - 1] : '\0';
    if (last != '{')
        text_put_string(json, ",");
    text_printf(json, "\"%s\":", key);
}

void html_put_comma(struct text *json)
{
    if (json->at[json->length - 1] != '[')
        text_put_string(json, ",");
}

void html_put_string(struct text *json, const char *key, const char *string)
{
    struct text clean = {0};
    html_put_key(json, key);
    text_put_clean(&clean, (struct span){string, strlen(string)}, false);
    json_put_string(json, text_span(&clean));
    text_release(&clean);
}

void html_put_number(struct text *json, const char *key, int64_t number)
{
    html_put_key(json, key);
    text_put_number(json, number);
}

/* Puts lines of text into an array. A line that begins with blanks continues the last one. */
void html_put_lines(struct text *json, const char *key, struct span lines)
{
    struct text line = {0};
    html_put_key(json, key);
    text_put_string(json, "[");
    for (size_t i = 0; i < lines.length; i++) {
        bool is_end = lines.at[i] == '\n';
        bool goes_on = is_end && i + 1 < lines.length && lines.at[i + 1] == ' ';
        bool is_blank = lines.at[i] == ' ' && line.length > 0 && line.at[line.length - 1] == ' ';
        if (goes_on)
            text_put_string(&line, " ");
        else if (!is_end && !is_blank)
            text_put(&line, lines.at + i, 1);
        if (!is_end || goes_on)
            continue;
        html_put_comma(json);
        json_put_string(json, text_span(&line));
        line.length = 0;
    }
    text_put_string(json, "]");
    text_release(&line);
}
