import { BUCKETS, type Histogram } from "./histogram.ts";

/** The content type of the text format, version 0.0.4. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

/**
 * Writes metrics in the format of Prometheus (prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4):
 *
 *     # HELP graticule_http_requests_total Answers by endpoint and status.
 *     # TYPE graticule_http_requests_total counter
 *     graticule_http_requests_total{endpoint="track",code="200"} 7
 *
 * A family without samples is omitted: an unknown value is not reported as 0.
 */
export class Exposition {
  /** The lines of each family, by its name. */
  readonly #families = new Map<string, string[]>();
  #lines: string[] = [];

  /** A sum that only grows, and starts again at 0 with the process; its name ends with `_total`. */
  counter(name: string, help: string, samples: readonly Sample[]): void {
    this.#family(name, help, "counter", samples);
  }

  /** A number that goes up and down. */
  gauge(name: string, help: string, samples: readonly Sample[]): void {
    this.#family(name, help, "gauge", samples);
  }

  /** Durations by bucket, each bucket including all below it. */
  histogram(name: string, help: string, series: readonly (readonly [Labels, Histogram])[]): void {
    if (series.length === 0) return;
    this.#head(name, help, "histogram");
    for (const [labels, { counts, sum }] of series) {
      let count = 0;
      for (let i = 0; i < counts.length; i++) {
        count += counts[i];
        const le = i < BUCKETS.length ? String(BUCKETS[i]) : "+Inf";
        this.#sample(`${name}_bucket`, { ...labels, le }, count);
      }
      this.#sample(`${name}_sum`, labels, sum);
      this.#sample(`${name}_count`, labels, count);
    }
  }

  /** Adds the samples of another exposition, each with one more label: its families follow our samples of the same. */
  add(text: string, label: string, value: string): void {
    for (const line of text.split("\n").filter(Boolean)) {
      const [, word, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (word === "HELP") this.#begin(name);
      // A family of ours has its own head.
      if (!word) this.#lines.push(withLabel(line, `${label}="${escapeLabel(value)}"`));
      else if (this.#lines.length < 2) this.#lines.push(line);
    }
  }

  toString(): string {
    return `${[...this.#families.values()].flat().join("\n")}\n`;
  }

  #begin(name: string): void {
    this.#lines = this.#families.get(name) ?? [];
    this.#families.set(name, this.#lines);
  }

  #family(name: string, help: string, type: string, samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    this.#head(name, help, type);
    for (const [labels, value] of samples) this.#sample(name, labels, value);
  }

  #head(name: string, help: string, type: string): void {
    this.#begin(name);
    this.#lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
  }

  #sample(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    this.#lines.push(`${name}${pairs.length > 0 ? `{${pairs.join()}}` : ""} ${value}`);
  }
}

/** A sample's line: the first space that is not in a label is before the value, and no name has a brace. */
function withLabel(line: string, pair: string): string {
  const brace = line.indexOf("{");
  if (brace >= 0) return `${line.slice(0, brace + 1)}${pair},${line.slice(brace + 1)}`;
  const space = line.indexOf(" ");
  return `${line.slice(0, space)}{${pair}}${line.slice(space)}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
