#include "names/paths.h"

#include <criterion/criterion.h>
#include <string.h>

static struct span span(const char *text)
{
    return span_of(text);
}

struct path_case {
    const char *source, *shown, *mod;
};

static void expect_paths(const struct path_case *cases, size_t count, const struct mounts *mounts,
                         enum path_style style)
{
    struct symbols symbols = {0};
    for (size_t i = 0; i < count; i++) {
        const char *source = cases[i].source;
        symbols_add_function(&symbols, intern_add_span(&symbols.strings, span_of(source)), 1,
                             INTERN_NONE);
        symbols.functions[symbols.function_count - 1].is_used = true;
    }
    struct paths paths;
    paths_init(&paths, &symbols, mounts, style);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_str_eq(intern_get(&paths.texts, paths.shown[i]).at, cases[i].shown);
        cr_expect_str_eq(intern_get(&paths.texts, paths.mods[i]).at, cases[i].mod);
    }
    paths_release(&paths);
    symbols_release(&symbols);
}

#define EXPECT_PATHS(cases, mounts, style)                                                         \
    expect_paths(cases, sizeof cases / sizeof cases[0], mounts, style)

Test(paths, are_shown_as_inside_the_game)
{
    static const struct path_case cases[] = {
        {"@c:\\sc\\LOUD\\gamedata\\lua\\lua\\sim\\unit.lua", "lua/sim/unit.lua", "game"},
        {"@C:\\LOUD\\GameData\\units.scd\\units\\uel0301\\x.lua", "units/uel0301/x.lua", "game"},
        {"@C:/ProgramData/FAForever/gamedata/lua.nx2/lua/x.lua", "lua/x.lua", "game"},
        {"@c:\\users\\me\\Mods\\M28AI\\lua\\x.lua", "mods/M28AI/lua/x.lua", "mods/M28AI"},
        {"@\\mods\\4dc\\hook\\lua\\x.lua", "mods/4dc/hook/lua/x.lua", "mods/4dc"},
        {"@mods/4dc/hook/mods/M28AI/lua/x.lua", "mods/4dc/hook/mods/M28AI/lua/x.lua", "mods/4dc"},
        {"@c:\\sc\\LOUD\\gamedata\\lua\\lua\\mods\\Icons\\x.lua", "lua/mods/Icons/x.lua",
         "mods/Icons"},
        {"@c:\\sc\\LOUD\\gamedata\\lua\\lua\\mods\\x.lua", "lua/mods/x.lua", "game"},
        {"@/maps/the pass/the pass_script.lua", "maps/the pass/the pass_script.lua", "the pass"},
        {"@wl1/main.lua", "wl1/main.lua", "game"},
        {"@/lua/y.lua", "y.lua", "game"},
        {"=[C]", "[C]", "[C]"},
        {"=(tail call)", "(tail call)", "(tail call)"},
        {"return 1", "[string \"return 1\"]", "[string]"},
        {"a\r\nb", "[string \"a...\"]", "[string]"},
        {"@", "", "game"},
    };
    EXPECT_PATHS(cases, &(struct mounts){0}, PATHS_SHORT);
}

Test(paths, follow_the_mounts_of_the_log)
{
    struct mounts mounts = {0};
    mounts_add(&mounts, span("d:\\work\\loud dev"), span("/"));
    mounts_add(&mounts, span("d:\\work\\loud dev\\Maps\\"), span("/maps/"));
    mounts_add(&mounts, span("d:\\work\\code"), span("/lua"));
    static const struct path_case cases[] = {
        {"@D:\\Work\\loud dev\\maps\\the pass\\x.lua", "maps/the pass/x.lua", "the pass"},
        {"@d:\\work\\loud dev\\tools\\x.lua", "tools/x.lua", "game"},
        {"@d:\\work\\code\\ai.lua", "lua/ai.lua", "game"},
        {"@d:\\work\\codex\\mods\\m\\ai.lua", "mods/m/ai.lua", "mods/m"},
    };
    EXPECT_PATHS(cases, &mounts, PATHS_SHORT);
    mounts_release(&mounts);
}

Test(paths, lose_the_directory_that_all_others_share)
{
    static const struct path_case cases[] = {
        {"@e:\\One\\two\\a.lua", "two/a.lua", "game"},
        {"@E:\\one\\three\\b.lua", "three/b.lua", "game"},
        {"@c:\\x\\gamedata\\lua\\lua\\c.lua", "lua/c.lua", "game"},
    };
    EXPECT_PATHS(cases, &(struct mounts){0}, PATHS_SHORT);
}

Test(paths, that_come_out_alike_are_shown_in_full)
{
    static const struct path_case cases[] = {
        {"@c:\\x\\gamedata\\lua\\lua\\c.lua", "c:/x/gamedata/lua/lua/c.lua", "game"},
        {"@c:\\x\\gamedata\\moho\\lua\\c.lua", "c:/x/gamedata/moho/lua/c.lua", "game"},
        {"@c:\\x\\gamedata\\moho\\lua\\d.lua", "lua/d.lua", "game"},
        {"@c:\\x\\gamedata\\moho\\Lua\\D.lua", "Lua/D.lua", "game"},
    };
    EXPECT_PATHS(cases, &(struct mounts){0}, PATHS_SHORT);
}

Test(paths, are_left_as_they_are_when_asked)
{
    static const struct path_case cases[] = {
        {"@c:\\x\\gamedata\\lua\\lua\\c.lua", "c:\\x\\gamedata\\lua\\lua\\c.lua", "game"},
        {"@c:\\x\\mods\\m\\c.lua", "c:\\x\\mods\\m\\c.lua", "mods/m"},
        {"=[C]", "[C]", "[C]"},
    };
    EXPECT_PATHS(cases, &(struct mounts){0}, PATHS_FULL);
}

Test(paths, of_long_chunks_are_cut_between_characters)
{
    char source[128], shown[128];
    memset(source, 'x', 59);
    strcpy(source + 59, "\xc3\xa9 and more");
    memset(shown, 0, sizeof shown);
    strcpy(shown, "[string \"");
    memset(shown + 9, 'x', 59);
    strcat(shown, "...\"]");
    const struct path_case cases[] = {{source, shown, "[string]"}};
    EXPECT_PATHS(cases, &(struct mounts){0}, PATHS_SHORT);
}
