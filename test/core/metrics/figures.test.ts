import { describe, expect, it } from "vitest";
import { Exposition } from "../../../src/core/metrics/exposition.ts";
import { BUCKETS, bucketOf, Histogram, quantile } from "../../../src/core/metrics/histogram.ts";
import { RequestFigures } from "../../../src/core/metrics/request-figures.ts";
import { SlidingWindow, WINDOW_MS } from "../../../src/core/metrics/sliding-window.ts";
import { parseExposition } from "./parse-exposition.ts";

describe("a histogram", () => {
  it("counts a duration in the first bucket whose bound it does not pass", () => {
    expect([0, 1, 1.1, 2.5, 3, 1000, 30_000, 30_001].map(bucketOf)).toEqual([0, 0, 1, 1, 2, 9, 13, 14]);
  });

  it("says how long a share of requests took, to within a bucket", () => {
    const { counts, ...histogram } = new Histogram();
    expect(quantile(counts, 0.5)).toBeUndefined();
    const all = new Histogram();
    for (let ms = 1; ms <= 1000; ms++) all.observe(ms);
    expect(quantile(all.counts, 0.5)).toBeCloseTo(0.5, 2);
    expect(quantile(all.counts, 0.95)).toBeCloseTo(0.95, 2);
    expect(all.sum).toBeCloseTo(500.5, 6);
    expect(histogram.sum).toBe(0);
  });

  it("returns the last bound for longer durations", () => {
    const slow = new Histogram();
    slow.observe(90_000);
    expect(quantile(slow.counts, 0.5)).toBe(BUCKETS.at(-1));
  });
});

describe("the last five minutes", () => {
  it("are all that was counted within them, whatever came before", () => {
    const window = new SlidingWindow();
    const begin = 1_700_000_000_000;
    for (let second = 0; second < 1200; second++)
      window.note(begin + second * 1000, 3, second % 10 === 0 ? 503 : second % 5 === 1 ? 429 : 200);
    const { requests, rejected, errors, counts } = window.recent(begin + 1199 * 1000);
    expect([requests, rejected, errors, counts[3]]).toEqual([300, 60, 30, 300]);
    expect(window.recent(begin + 1199 * 1000 + WINDOW_MS).requests).toBe(0);
  });

  it("omit counts that are later than a clock that was set back", () => {
    const window = new SlidingWindow();
    window.note(2_000_000_000, 0, 200);
    expect(window.recent(1_000_000_000).requests).toBe(0);
  });
});

describe("the text for Prometheus", () => {
  it("is read back as it was meant by a strict reader of the format", () => {
    const figures = new RequestFigures();
    figures.of("ping");
    const track = figures.of("track");
    track.note(200, 3, 1000);
    track.note(503, 40_000, 1000);
    const text = new Exposition();
    const hostile = 'a "name"\\ with\na line, {and="more"} 7';
    text.gauge("graticule_build", "Two\nlines and a \\.", [[{ name: hostile, other: "" }, -1.5e-7]]);
    text.gauge("graticule_nothing", "Not told.", []);
    text.counter("graticule_things_total", "Things.", [[{}, 3]]);
    text.histogram(
      "graticule_duration_seconds",
      "Durations.",
      figures.used().map(([endpoint, { durations }]) => [{ endpoint }, durations]),
    );
    const families = parseExposition(text.toString());
    expect([...families.keys()]).toEqual(["graticule_build", "graticule_things_total", "graticule_duration_seconds"]);
    const build = families.get("graticule_build");
    expect(build).toMatchObject({ help: "Two\nlines and a \\.", type: "gauge" });
    expect(build?.samples).toEqual([{ name: "graticule_build", labels: { name: hostile, other: "" }, value: -1.5e-7 }]);
    const durations = families.get("graticule_duration_seconds")?.samples ?? [];
    expect(durations.filter(({ labels }) => labels.endpoint !== "track")).toEqual([]);
    expect(durations.find(({ labels }) => labels.le === "0.005")?.value).toBe(1);
    expect(durations.find(({ labels }) => labels.le === "+Inf")?.value).toBe(2);
    expect(durations.find(({ name }) => name.endsWith("_sum"))?.value).toBeCloseTo(40.003, 9);
  });

  it.each([
    ["a metric 1\n", "no family"],
    ["# HELP a x\n# TYPE a gauge\na 1", "end"],
    ["# HELP a x\n# TYPE a gauge\na one\n", "no number"],
    ['# HELP a x\n# TYPE a gauge\na{b="c} 1\n', "without its end"],
    ['# HELP a x\n# TYPE a gauge\na{b="\\t"} 1\n', "escape"],
    ['# HELP a x\n# TYPE a gauge\na{b="c",b="d"} 1\n', "label twice"],
    ["# HELP a x\n# TYPE a gauge\na 1\na 2\n", "twice"],
    ["# HELP a x\n# TYPE a counter\na 1\n", "_total"],
    ["# HELP a x\n# TYPE a gauge\nb 1\n", "belong"],
    ["# HELP a x\n# TYPE a gauge\n", "no samples"],
    ['# HELP a x\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n', "Inf"],
    ['# HELP a x\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n', "below"],
  ])("%j is refused by that reader", (text, why) => {
    expect(() => parseExposition(text)).toThrow(why);
  });
});
