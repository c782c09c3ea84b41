import type { Drive } from "./drives.ts";

/**
 * How well journeys of a project were predicted, by month and mode: counts only, so nothing of one journey remains. Errors of
 * the profile alone ("profile") and of the speeds that were live ("learned"), on journeys that were not yet used to learn.
 */
export interface EtaReport {
  version: 1;
  /** "2026-11" → mode → figures. */
  months: Record<string, Record<string, EtaFigures>>;
}

export interface EtaFigures {
  trips: number;
  profile: ErrorFigures;
  learned: ErrorFigures;
}

interface ErrorFigures {
  /** Journeys by absolute error: hundredths of the duration, the last bin is open; and quarters of a minute. */
  percent: number[];
  quarters: number[];
  /** Sum of signed errors, as shares of the duration; positive: predicted too long. */
  bias: number;
  within2Minutes: number;
  within10Percent: number;
  /** By local hour of the start: journeys, and sum of signed errors. */
  hours: [count: number, bias: number][];
}

const PERCENT_BINS = 101;
const QUARTER_BINS = 121;
const MAX_MONTHS = 24;

export const emptyReport = (): EtaReport => ({ version: 1, months: {} });

export function parseReport(text: string): EtaReport {
  try {
    const report = JSON.parse(text) as EtaReport;
    if (report.version === 1 && typeof report.months === "object") return report;
  } catch {
    // A damaged report begins again: it holds statistics only.
  }
  return emptyReport();
}

export function addDrive(
  { months }: EtaReport,
  { day, mode, hour, profile, learned, actual }: Omit<Drive, "features">,
): void {
  const name = new Date(day * 86_400_000).toISOString().slice(0, 7);
  months[name] ??= {};
  for (const old of Object.keys(months).sort().slice(0, -MAX_MONTHS)) delete months[old];
  if (!months[name]) return;
  months[name][mode] ??= { trips: 0, profile: emptyErrors(), learned: emptyErrors() };
  const figures = months[name][mode];
  figures.trips++;
  addError(figures.profile, profile, actual, hour);
  addError(figures.learned, learned, actual, hour);
}

function emptyErrors(): ErrorFigures {
  return {
    percent: new Array<number>(PERCENT_BINS).fill(0),
    quarters: new Array<number>(QUARTER_BINS).fill(0),
    ...{ bias: 0, within2Minutes: 0, within10Percent: 0 },
    hours: Array.from({ length: 24 }, (): [number, number] => [0, 0]),
  };
}

function addError(errors: ErrorFigures, predicted: number, actual: number, hour: number): void {
  const off = predicted - actual;
  const share = off / actual;
  errors.percent[Math.min(PERCENT_BINS - 1, Math.floor(Math.abs(share) * 100))]++;
  errors.quarters[Math.min(QUARTER_BINS - 1, Math.floor(Math.abs(off) / 15))]++;
  errors.bias += share;
  if (Math.abs(off) <= 120) errors.within2Minutes++;
  if (Math.abs(share) <= 0.1) errors.within10Percent++;
  errors.hours[hour][0]++;
  errors.hours[hour][1] += share;
}

/** Errors as people read them. */
export interface ErrorSummary {
  /** Of the absolute errors [%], and [min]. */
  medianPercent: number;
  medianMinutes: number;
  /** Mean signed error [%]; positive: predicted too long. */
  biasPercent: number;
  /** Shares of the journeys [%]. */
  within2Minutes: number;
  within10Percent: number;
  /** Mean signed error by local hour of the start [%]; null where there were none. */
  biasByHour: (number | null)[];
}

export function summaryOf(errors: ErrorFigures, trips: number): ErrorSummary {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    medianPercent: rounded(medianOf(errors.percent)),
    medianMinutes: rounded(medianOf(errors.quarters) / 4),
    biasPercent: rounded((errors.bias / trips) * 100),
    within2Minutes: rounded((errors.within2Minutes / trips) * 100),
    within10Percent: rounded((errors.within10Percent / trips) * 100),
    biasByHour: errors.hours.map(([count, bias]) => (count > 0 ? rounded((bias / count) * 100) : null)),
  };
}

/** The median of a histogram, interpolated within its bin. */
function medianOf(bins: readonly number[]): number {
  const half = bins.reduce((sum, count) => sum + count, 0) / 2;
  let below = 0;
  for (const [bin, count] of bins.entries()) {
    if (below + count >= half && count > 0) return bin + (half - below) / count;
    below += count;
  }
  return 0;
}

/** Fewer journeys than this show no trend. */
export const MIN_TRIPS_FOR_TREND = 100;
/** A median error this much larger than in the month before is reported [%, percentage points]. */
const GROWTH_FACTOR = 1.25;
const MIN_GROWTH_POINTS = 3;

/** Whether the errors of the latest month with enough journeys are clearly larger than those of the month before it. */
export function hasGrown({ months }: EtaReport, mode: string): { before: number; now: number } | undefined {
  const medians = Object.keys(months)
    .sort()
    .flatMap((name) => {
      const figures = months[name][mode];
      return figures && figures.trips >= MIN_TRIPS_FOR_TREND ? [medianOf(figures.learned.percent)] : [];
    });
  const [before, now] = medians.slice(-2);
  if (now === undefined || now < before * GROWTH_FACTOR || now < before + MIN_GROWTH_POINTS) return undefined;
  return { before, now };
}
