#include "base/mem.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

Test(mem, grows_to_at_least_double)
{
    size_t capacity = 0;
    int *array = mem_grow(NULL, &capacity, 1, sizeof *array);
    size_t first = capacity;
    MEM_GROW(array, capacity, first + 1);
    cr_expect_geq(capacity, 2 * first);
    free(array);
}

Test(mem, ends_the_program_when_a_size_overflows, .exit_code = EXIT_FAILURE)
{
    size_t capacity = 0;
    mem_grow(NULL, &capacity, SIZE_MAX / 2, 8);
}

Test(mem, arena_keeps_what_it_was_given)
{
    struct arena arena = {0};
    char long_text[100000] = "long";
    const char *small = arena_copy(&arena, "a\0b", 3);
    const char *large = arena_copy(&arena, long_text, sizeof long_text);
    for (int i = 0; i < 10000; i++)
        arena_copy(&arena, "0123456789", 10);
    cr_expect_arr_eq(small, "a\0b", 4);
    cr_expect_arr_eq(large, long_text, sizeof long_text);
    arena_release(&arena);
}
