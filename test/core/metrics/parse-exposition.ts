/** A strict reader of Prometheus' text format 0.0.4, for tests: whatever is not exactly as the format says throws. */

export interface Family {
  name: string;
  type: "counter" | "gauge" | "histogram";
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** @throws Error at the first line that breaks the format */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end.");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let family: Family | undefined;
  const lines = text.slice(0, -1).split("\n");
  for (const [i, line] of lines.entries()) {
    const fail = (why: string): never => {
      throw new Error(`Line ${i + 1}: ${why}: ${line}`);
    };
    const help = /^# HELP (\S+) (.*)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      const [, name, words] = help;
      if (!NAME.test(name)) fail("no name of a metric");
      if (families.has(name)) fail("a family comes twice, or in two places");
      if (!/^# TYPE /.test(lines[i + 1] ?? "")) fail("no type follows");
      family = { name, type: "gauge", help: withoutEscapes(words, false, fail), samples: [] };
      families.set(name, family);
    } else if (type) {
      if (family?.name !== type[1] || family.samples.length > 0) fail("a type without its help");
      else family.type = type[2] as Family["type"];
    } else {
      if (!family) throw new Error(`Line ${i + 1}: a sample of no family: ${line}`);
      const sample = readSample(line, fail);
      const { name, labels } = sample;
      const suffix = name.slice(family.name.length);
      const own = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      if (!name.startsWith(family.name) || !own.includes(suffix)) fail(`does not belong to ${family.name}`);
      const series = JSON.stringify([name, Object.entries(labels).sort()]);
      if (seen.has(series)) fail("the same series twice");
      seen.add(series);
      family.samples.push(sample);
    }
  }
  for (const one of families.values()) checkFamily(one);
  return families;
}

function readSample(line: string, fail: (why: string) => never) {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0] ?? fail("no name of a metric");
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === "{") {
    at++;
    while (line[at] !== "}") {
      const equals = line.indexOf('="', at);
      const label = line.slice(at, equals);
      if (equals < 0 || !LABEL.test(label)) fail("no label");
      if (label in labels) fail("a label twice");
      let end = equals + 2;
      while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
      if (end >= line.length) fail("a label's value without its end");
      labels[label] = withoutEscapes(line.slice(equals + 2, end), true, fail);
      at = end + 1;
      if (line[at] === ",") at++;
      else if (line[at] !== "}") fail("neither , nor }");
    }
    at++;
  }
  if (line[at] !== " ") fail("no space before the value");
  const number = line.slice(at + 1);
  if (!/^(-?\d+(\.\d+)?(e[+-]?\d+)?|[+-]Inf|NaN)$/.test(number)) fail("no number");
  return { name, labels, value: number === "+Inf" ? Number.POSITIVE_INFINITY : Number(number) };
}

function withoutEscapes(text: string, quotes: boolean, fail: (why: string) => never): string {
  const strange = quotes ? /\\(?![\\n"])/ : /\\(?![\\n])/;
  if (strange.test(text.replaceAll("\\\\", ""))) fail("an unknown escape");
  return text.replace(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char));
}

function checkFamily({ name, type, help, samples }: Family): void {
  const fail = (why: string): never => {
    throw new Error(`${name}: ${why}`);
  };
  if (help.trim() === "") fail("no help");
  if (samples.length === 0) fail("no samples");
  if (type === "counter" && !name.endsWith("_total")) fail("a counter's name ends with _total");
  if (type !== "counter" && name.endsWith("_total")) fail("only a counter's name ends with _total");
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) fail("a counter is negative");
  if (type !== "histogram") return;
  const bySeries = new Map<string, { buckets: [le: number, count: number][]; count?: number; sum?: number }>();
  for (const { name: own, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    const series = bySeries.get(key) ?? { buckets: [] };
    bySeries.set(key, series);
    if (own.endsWith("_bucket")) series.buckets.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (own.endsWith("_count")) series.count = value;
    else series.sum = value;
  }
  for (const { buckets, count, sum } of bySeries.values()) {
    if (count === undefined || sum === undefined) fail("a histogram has a sum and a count");
    if (buckets.at(-1)?.[0] !== Number.POSITIVE_INFINITY) fail("the last bucket is +Inf");
    if (buckets.at(-1)?.[1] !== count) fail("the last bucket is the count");
    for (let i = 1; i < buckets.length; i++) {
      if (!(buckets[i][0] > buckets[i - 1][0])) fail("the bounds rise");
      if (buckets[i][1] < buckets[i - 1][1]) fail("each bucket holds those below it");
    }
  }
}
