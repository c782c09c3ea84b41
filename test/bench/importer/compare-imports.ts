import type { Report } from "../bench.ts";
import type { ImportFigures } from "./measured-import.ts";

export interface Measured {
  /** "demo 60", "grid 500". */
  label: string;
  megabytes: number;
  /** As `--memory` reads it. */
  memory: string;
  threads: number;
  figures: ImportFigures;
}

/** Germany's extract (download.geofabrik.de, 2026) [MB], and the machine that is spoken of. */
const GERMANY = 4500;
const CORES = 4;
const GOAL_HOURS = 2;

/** What several imports say together: growth with size, gain by threads, and how long a country would take. */
export function compareImports(report: Report, all: readonly Measured[]): void {
  const bySize = [...all].sort((a, b) => a.megabytes - b.megabytes);
  for (const one of bySize) {
    const { label, memory, threads, megabytes, figures } = one;
    const same = (other: Measured) => kindOf(other) === kindOf(one) && other.memory === memory;
    const smaller = bySize.filter((other) => same(other) && other.threads === threads && other.megabytes < megabytes);
    const [first, last] = [smaller.at(0), smaller.at(-1)];
    const of = `${label}, ${memory}, ${threads} thread${threads === 1 ? "" : "s"}`;
    if (last) {
      const value = 100 * (figures.peak / last.figures.peak - 1);
      report({ case: of, metric: `resident peak, more than ${last.label}'s`, value, unit: "%", baseline: 5 });
    }
    if (first) {
      const value = perMegabyte(one) / perMegabyte(first);
      report({ case: of, metric: `CPU per MB, beside ${first.label}'s`, value, unit: "times", baseline: 1.15 });
    }
    const builds = new Set(all.filter(({ label: other }) => other === label).map(({ figures: { build } }) => build));
    if (builds.size > 1)
      report({ case: label, metric: "different builds of the same", value: builds.size, unit: "", baseline: 1 });
    if (threads > 1) {
      report({
        case: of,
        metric: `Germany, all cores busy: ${GERMANY} MB × ${perMegabyte(one).toFixed(2)} CPU s/MB / ${CORES} / 3600`,
        value: (GERMANY * perMegabyte(one)) / CORES / 3600,
        unit: "h",
        baseline: GOAL_HOURS,
      });
    }
    const single = all.find((other) => same(other) && other.label === label && other.threads === 1);
    if (threads !== 2 || !single) continue;
    const gain = single.figures.seconds / figures.seconds;
    report({ case: of, metric: "faster than one thread on one core", value: gain, unit: "times", baseline: 1.7 });
    const { serial, parallel } = amdahl(single, one);
    report({
      case: of,
      metric: `Germany, by walls: ${GERMANY} MB × (${serial.toFixed(3)} + ${parallel.toFixed(3)} / ${CORES}) s/MB / 3600`,
      value: (GERMANY * (serial + parallel / CORES)) / 3600,
      unit: "h",
      baseline: GOAL_HOURS,
    });
  }
}

const kindOf = ({ label }: Measured) => label.split(" ")[0];
const perMegabyte = ({ figures, megabytes }: Measured) => figures.cpuSeconds / megabytes;

/**
 * What of a megabyte is done by one thread alone, and what is shared [s/MB], from the walls with one and two threads (Amdahl
 * 1967): T(n) = serial + parallel / n.
 */
export function amdahl(one: Measured, two: Measured): { serial: number; parallel: number } {
  const [t1, t2] = [one.figures.seconds / one.megabytes, two.figures.seconds / two.megabytes];
  const parallel = Math.min(t1, Math.max(0, 2 * (t1 - t2)));
  return { serial: t1 - parallel, parallel };
}
