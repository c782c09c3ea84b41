import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LATE_INTERVALS } from "../../../core/webhooks/alerts.ts";

/** In the state of a standby: a copy of the newest backup, and files that command it. */
export const STANDBY = "standby";

/** What a standby knows of the backups that it follows. */
export interface Followed {
  where: string;
  /** The moment of its copy [ISO 8601]; absent before the first. */
  at?: string;
  /** When something was new, and when it looked last [ISO 8601, by the clock of the standby]. */
  newAt: string;
  lookedAt: string;
  /** Time between two backups [ms]. */
  everyMs?: number;
  /** Why it could not look, as a sentence. */
  error?: string;
}

/** Of backups that do not say how often they are made [ms]. */
const DEFAULT_EVERY_MS = 60_000;

const noteFile = (state: string) => join(state, STANDBY, "followed.json");
const metricsFile = (state: string) => join(state, STANDBY, "metrics.prom");
export const tookOverFile = (state: string) => join(state, STANDBY, "took-over");

/** Whether a standby got nothing new for three intervals. */
export function isBehind({ newAt, everyMs = DEFAULT_EVERY_MS }: Followed, now: number): boolean {
  return now - Date.parse(newAt) > LATE_INTERVALS * everyMs;
}

/** @returns undefined if no standby is in the state, or it took over */
export function followedBy(state: string): Followed | undefined {
  if (existsSync(tookOverFile(state))) return undefined;
  try {
    return JSON.parse(readFileSync(noteFile(state), "utf8"));
  } catch {
    return undefined;
  }
}

/** Notes it for `npm run doctor`, and as metrics for the textfile collector of a Prometheus node exporter. */
export function noteFollowed(state: string, followed: Followed): void {
  const seconds = (text: string) => Date.parse(text) / 1000;
  const figures: [name: string, help: string, value: number | undefined][] = [
    ["timestamp_seconds", "The moment of the standby's copy.", followed.at && seconds(followed.at)],
    ["new_timestamp_seconds", "When the standby got something new.", seconds(followed.newAt)],
    ["looked_timestamp_seconds", "When the standby looked last.", seconds(followed.lookedAt)],
    ["late", "1: nothing new for three intervals.", Number(isBehind(followed, Date.parse(followed.lookedAt)))],
  ].filter((one): one is [string, string, number] => typeof one[2] === "number");
  const lines = figures.flatMap(([name, help, value]) => [
    `# HELP graticule_standby_${name} ${help}`,
    `# TYPE graticule_standby_${name} gauge`,
    `graticule_standby_${name} ${value}`,
  ]);
  for (const [path, text] of [
    [noteFile(state), `${JSON.stringify(followed)}\n`],
    [metricsFile(state), `${lines.join("\n")}\n`],
  ]) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.part`, text, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  }
}
