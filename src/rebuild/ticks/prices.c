#include "rebuild/ticks/prices.h"

#include "base/mem.h"

/* The bin of a time per call: two for each power of 2 above a 1024th. */
static size_t bin_of(uint64_t calls, int64_t units)
{
    enum { FRACTION = 1024 };
    if (units <= 0)
        return 0;
    uint64_t value = (uint64_t)units > UINT64_MAX / FRACTION ? UINT64_MAX / calls
                                                             : (uint64_t)units * FRACTION / calls;
    size_t octave = value > 1 ? 63 - (size_t)__builtin_clzll(value) : 0;
    size_t half = octave > 0 ? value >> (octave - 1) & 1 : 0;
    size_t bin = 1 + 2 * octave + half;
    return bin < PRICE_BINS ? bin : PRICE_BINS - 1;
}

void prices_add(struct prices *prices, uint32_t function, uint64_t calls, int64_t units)
{
    prices->units += (double)units;
    if (calls == 0) {
        prices->callless_units += (double)units;
        return;
    }
    struct function_price *price = prices_find(prices, function);
    if (price == NULL) {
        MEM_GROW_ZEROED(prices->at, prices->count, (size_t)function + 1);
        price = prices->at[function] = mem_zeroed(1, sizeof *price);
    }
    struct price_bin *bin = &price->bins[bin_of(calls, units)];
    bin->calls += calls;
    bin->units += units;
    price->calls += calls;
}

void prices_join(struct prices *prices, struct prices *later)
{
    prices->tick_count += later->tick_count;
    prices->units += later->units;
    prices->callless_units += later->callless_units;
    MEM_GROW_ZEROED(prices->at, prices->count, later->count);
    for (size_t i = 0; i < later->count; i++) {
        struct function_price *to = prices->at[i], *from = later->at[i];
        if (from == NULL)
            continue;
        if (to == NULL) {
            prices->at[i] = from;
            later->at[i] = NULL;
            continue;
        }
        to->calls += from->calls;
        for (size_t bin = 0; bin < PRICE_BINS; bin++) {
            to->bins[bin].calls += from->bins[bin].calls;
            to->bins[bin].units += from->bins[bin].units;
        }
    }
    prices_release(later);
}

/* The mean of the bin that has the call in the middle. */
static double find_price(const struct function_price *price)
{
    uint64_t before = 0;
    for (size_t i = 0; i < PRICE_BINS; i++) {
        before += price->bins[i].calls;
        if (before > 0 && before >= price->calls - before)
            return (double)price->bins[i].units / (double)price->bins[i].calls;
    }
    return 0;
}

void prices_finish(struct prices *prices)
{
    double usual_units = prices->callless_units;
    for (uint32_t function = 0; function < prices->count; function++) {
        struct function_price *price = prices_find(prices, function);
        if (price == NULL)
            continue;
        price->price = find_price(price);
        usual_units += price->price * (double)price->calls;
    }
    prices->scale =
        usual_units > 0 && prices->units > usual_units ? prices->units / usual_units : 1;
}

void prices_release(struct prices *prices)
{
    for (size_t i = 0; i < prices->count; i++)
        free(prices->at[i]);
    free(prices->at);
    *prices = (struct prices){0};
}

static bool is_slower(double now, double usual)
{
    return now > 1.5 * usual;
}

void priced_tick_add(struct priced_tick *tick, const struct prices *prices, uint32_t function,
                     uint64_t calls, int64_t units)
{
    const struct function_price *price = prices_find(prices, function);
    tick->units += (double)units;
    if (calls == 0 || price == NULL) {
        tick->usual_units += (double)units;
        return;
    }
    double now = (double)units;
    double usual = (double)calls * price->price * prices->scale;
    double slower = is_slower(now, usual) ? usual : 0;
    tick->usual_units += usual;
    tick->faster_units += usual > now ? usual - now : 0;
    tick->all.now += now;
    tick->all.usual += usual;
    tick->all.slower += slower;
    if (now - usual > tick->most.now - tick->most.usual)
        tick->most = (struct compared_units){now, usual, slower};
}

bool priced_tick_is_slower(const struct priced_tick *tick)
{
    enum { RARE_PARTS = 10 };
    double now = tick->all.now - tick->most.now, usual = tick->all.usual - tick->most.usual;
    double slower = tick->all.slower - tick->most.slower;
    return usual > tick->usual_units / RARE_PARTS && is_slower(now, usual) && 2 * slower >= usual;
}
