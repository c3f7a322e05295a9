"""Attacks by lines of delins' profiler, and by lines that are damaged or of no profiler."""

from recording import Recording


def line_foreign(n):
    """One line of n * 10 bytes that is not the profiler's."""
    return "x" * (10 * n) + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_damaged(n):
    """One line of n * 10 bytes with the mark."""
    return "info: prof: " + "x" * (10 * n) + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_of_marks(n):
    """One line of n marks."""
    return "info: prof: " * n + "\ninfo: prof: @a.lua,1,f,2;1,0.001,t,f\n"


def line_of_commas(n):
    """A frame whose fields could end at n places."""
    return "info: prof: @a" + ",1,f,1" * n + ";x;1,0.001,t,f\ninfo: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def chunk_of_commas(n):
    """A chunk whose frame could end at n places."""
    return "info: prof: a" + ",1,f,1" * n + ";x,0,?,1;1,0.1,t,f\n"


def chunk_of_semicolons(n):
    """A chunk that could be n frames."""
    return "info: prof: a" + ",1,f,1;b" * n + ",2,f,1;1,0.1,t,f\n"


def chunk_of_names(n):
    """A record of n frames of files whose names hold semicolons."""
    return "info: prof: " + "@a.lua,1,f;g,1;" * n + "@a.lua,1,f,1;1,0.1,t,f\n"


def chunks_of_names(n):
    """The same of chunks, each with a place after it that could end it, and a file at the end."""
    return (
        "info: prof: "
        + "".join("a%d.lua,1,f;g,1;b,1,g,1;" % i for i in range(n))
        + "a.lua,1,f;g,1;@c:\\a.lua,1,f,1;1,0.1,t,f\n"
    )


def continuation(n):
    """A record that goes on for n lines and does not end."""
    return "info: prof: @a.lua,1,f,2;local a\n" + "      b = 1\n" * n


def continuation_ends(n):
    """Records over several lines, one after the other."""
    return "".join(
        "info: prof: local a%d\n      b = 1\ninfo: c,0,?,2;1,0.001,t,f\n" % i for i in range(n)
    )


def damaged_lines(n):
    """n damaged lines."""
    return "info: prof: x\n" * n + "info: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def blank_lines(n):
    """n empty lines."""
    return "\n" * n + "info: prof: @a.lua,1,f,2;1,0.1,t,f\n"


def unknown_kinds(n):
    """n lines of the recorder of kinds that do not exist."""
    log = Recording()
    for i in range(n):
        log.add("k" + "abcdefghij"[i % 10] + "x" * (i // 1000 % 10))
    return log.text()


# Records


def record_deep(n):
    """One record of n frames."""
    return "info: prof: " + "@a.lua,1,f,2;" * n + "1,0.001,t,f\n"


def records_deep(n):
    """Records of 100 frames that differ in the last one."""
    stack = "@a.lua,1,f,2;" * 100
    return "".join(
        "info: prof: %s@a.lua,%d,g,2;1,0.001,t,f\n" % (stack, i) for i in range(n // 100)
    )


def records_wide(n):
    """n records of one frame each."""
    return "".join("info: prof: @a.lua,%d,f%d,2;1,0.001,t,f\n" % (i, i) for i in range(n))


def records_of_names(n):
    """One function with n names."""
    return "".join("info: prof: @a.lua,1,f%d,2;1,0.001,t,f\n" % i for i in range(n))


def records_of_chunks(n):
    """n chunks with one label."""
    return "".join(
        "info: prof: return '%s%d',0,?,2;1,0.001,t,f\n" % ("a" * 100, i) for i in range(n // 3)
    )


def records_of_lines(n):
    """One stack called from n lines."""
    return "".join("info: prof: @a.lua,1,f,%d;@a.lua,9,g,2;1,0.001,t,f\n" % i for i in range(n))


def records_growing(n):
    """Records of one recursion, each a frame longer."""
    count = int(n**0.5)
    return "".join(
        "info: prof: %s1,0.001,t,f\n" % ("@a.lua,1,f,2;" * (i + 1)) for i in range(count)
    )


def records_pairs(n):
    """Records in whose stacks k functions call each other, k * k = n."""
    count = int(n**0.5)
    return "".join(
        "info: prof: %s1,0.001,t,f\n"
        % "".join("@a.lua,%d,f,2;" % ((k * step) % count) for k in range(count))
        for step in range(count)
    )


def records_of_calls(n):
    """n records of as many calls as one may have."""
    return "".join(
        "info: prof: @a.lua,1,f,1;@b.lua,%d,g,1;1000000000000000,9999999,t,f\n" % i
        for i in range(n)
    )
