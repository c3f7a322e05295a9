"""What the attacks by recordings share: the lines of a run, numbered."""

BEGIN = "begin version=2 state=sim unit=9.53674316e-07 tick=1 time=0.1 marks=yes memory=no"
BEGIN_CHOSEN = (
    "begin version=4 mode=ticks budget=0.03 longest=500 seed=1 state=sim clock=x at=0 step=1e-9"
    " unit=9.53674316e-07 tick=1 time=0.1 marks=yes memory=no hook=watched calibration=20"
    " calibrator=0 lua_call=1e-8 c_call=1e-8 next_call=1e-8"
)
BEGIN_WATCH = BEGIN_CHOSEN.replace(
    "version=4 mode=ticks budget=0.03 longest=500 seed=1",
    "version=5 mode=watch slow=1 budget=0.03 longest=500",
)
BEGINS = {2: BEGIN, 4: BEGIN_CHOSEN, 5: BEGIN_WATCH}
ID_MAX = (1 << 24) - 1
COUNT_MAX = 10**15  # larger ones are damage


def site_letters(number):
    """The number of a site as events write it."""
    letters = ""
    number += 1
    while number > 0:
        number -= 1
        letters = chr(number % 26 + ord("a")) + letters
        number //= 26
    return letters[0].upper() + letters[1:]


class Recording:
    """Numbers the lines of one run."""

    def __init__(self, name="s1", begin=True, version=2):
        self.name = name
        self.version = version
        self.number = 0
        self.lines = []
        if begin:
            self.add(BEGINS[version])

    def add(self, text):
        self.number += 1
        self.lines.append(
            "info: prof: $%d %s %d %s\n" % (self.version, self.name, self.number, text)
        )

    def lose(self):
        self.number += 1

    def function(self, number, source, line, name):
        self.add("function %d %d %d %s" % (number, source, line, name))

    def site(self, number, function, line):
        self.add("site %d %d,%d" % (number, function, line))

    def events(self, text, thread=0):
        self.add("events %d 0 0 %s" % (thread, text))

    def text(self):
        return "".join(self.lines)


def simple(functions=1, source="@c:\\092lua\\092a.lua"):
    """A recording with functions f0, f1, ... and, for each, the sites 2 I (from the engine) and
    2 I + 1 (from line 5)."""
    log = Recording()
    log.add("source 1 " + source)
    log.add("thread 0 main")
    for i in range(functions):
        log.function(i, 1, i + 1, "f%d" % i)
        log.site(2 * i, i, -2)
        log.site(2 * i + 1, i, 5)
    return log


# Depth


ARGUMENT_COUNTS = (
    "calls distinct other repeats equal tick_repeats tick_equal tick_contents tick_other results"
    " large failed ns tick_ns changed"
).split()


def counts_of_arguments(number, counts):
    """What was counted of a function's arguments; the last count is that of the rest."""
    counts = [*counts, *[counts[-1]] * (len(ARGUMENT_COUNTS) - len(counts))]
    pairs = ["%s=%d" % pair for pair in zip(ARGUMENT_COUNTS, counts)]
    return "arguments %d %s" % (number, " ".join(pairs))
