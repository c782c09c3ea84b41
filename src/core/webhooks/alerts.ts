/**
 * Decides when an operator or a project is notified of a problem, and of its end. Conditions arrive as findings, one
 * scheduled run per minute; this file decides which of them are reported.
 */
export const ALERT_TYPES = [
  "alert.outbox",
  "alert.dead_letters",
  "alert.error_rate",
  "alert.geodata_age",
  "alert.disk",
  "alert.archive",
  "alert.storage",
  "alert.eta_error",
  "alert.backup",
  "alert.crashes",
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

export function isAlertType(type: string): type is AlertType {
  return (ALERT_TYPES as readonly string[]).includes(type);
}

/** The values above (or below) which an alert is sent. */
export interface AlertLimits {
  /** Age of the oldest update or event that has reached neither the database nor its webhooks [s]. */
  outbox: number;
  /** Share of calls within five minutes with a response of 500 and above [%]. */
  errors: number;
  /** Age of a build's data [days]. */
  geodata: number;
  /** Free disk space [%]: less is an alert. */
  disk: number;
  /** Consecutive failed runs of the archive. */
  archive: number;
  /** Size of a D1 database [% of what D1 allows]. */
  storage: number;
}

export const ALERT_LIMITS: AlertLimits = { outbox: 60, errors: 5, geodata: 45, disk: 10, archive: 2, storage: 70 };

/**
 * Parses "errors=2 disk=20": an operator's own limits, the others unchanged.
 * @throws Error if it is invalid
 */
export function parseAlertLimits(text: string | undefined): AlertLimits {
  const limits = { ...ALERT_LIMITS };
  for (const part of (text ?? "").split(/[\s,]+/).filter(Boolean)) {
    const [, name, number] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(part) ?? [];
    if (name === undefined || !Object.hasOwn(limits, name))
      throw new Error("ALERT_LIMITS is a list such as outbox=60 errors=5 geodata=45 disk=10 archive=2 storage=70.");
    limits[name as keyof AlertLimits] = Number(number);
  }
  return limits;
}

/** So many crashes of the server within an hour are an alert: one may be a kill, three are no accident. */
export const MAX_CRASHES = 3;

/** Continuous backups are late after so many intervals without a new moment. */
export const LATE_INTERVALS = 3;

/** A condition that holds now, for a scope. */
export interface Finding {
  scope: number;
  type: AlertType;
  /** The subject of the condition, if there are several: the name of the geodata build or database, the mode of travel. */
  subject?: string;
  /** The current value, in the unit of the limit; for dead letters, their number. */
  value: number;
  limit: number;
}

/** A condition that was found, until its end has been reported. */
export interface Alert extends Finding {
  /** When it was first found, and when last [ms]. */
  since: number;
  seen: number;
  /** Its beginning has been reported. */
  told: boolean;
  /** It is over, which has not been reported yet. */
  over: boolean;
}

/** How long a condition must be absent before it is over [ms]: an intermittent one is reported once. */
export const CALM_MS = 5 * 60_000;

const alertKey = ({ scope, type, subject = "" }: Pick<Finding, "scope" | "type" | "subject">) =>
  `${scope} ${type} ${subject}`;

/**
 * The alerts after a run.
 * @param unknown conditions that could not be checked in this run: their alerts stay unchanged
 */
export function nextAlerts(
  alerts: readonly Alert[],
  findings: readonly Finding[],
  unknown: ReadonlySet<AlertType>,
  now: number,
): Alert[] {
  const known = new Map(alerts.map((alert) => [alertKey(alert), alert]));
  const next: Alert[] = findings.map((finding) => {
    const before = known.get(alertKey(finding));
    known.delete(alertKey(finding));
    return { ...finding, since: before?.since ?? now, seen: now, told: before?.told ?? false, over: false };
  });
  for (const alert of known.values()) {
    if (unknown.has(alert.type) || now - alert.seen < CALM_MS) next.push(alert);
    else if (alert.told) next.push({ ...alert, over: true });
  }
  return next;
}

/** Does it need to be reported? */
export function isDue({ told, over, seen }: Alert, now: number): boolean {
  return over || (!told && seen === now);
}

const day = (count: number) => (count === 1 ? "1 day" : `${count} days`);

/** An alert in a sentence, for people. */
export function sentenceOf({ type, subject, value, limit, over }: Alert): string {
  switch (type) {
    case "alert.outbox":
      return over
        ? "Updates and events reach the database and webhooks again."
        : `Events have waited ${Math.round(value)} s for the database or for a webhook's queue; more than ${limit} s are an alert. Nothing is lost: they are stored and retried.`;
    case "alert.dead_letters":
      return over
        ? "No message has failed permanently for an hour, or all were replayed."
        : `Within an hour ${value} ${value === 1 ? "message" : "messages"} failed permanently: their receivers did not accept them. Once they do, replay them: POST /v1/webhooks/:id/dead-letters/replay.`;
    case "alert.error_rate":
      return over
        ? `The share of calls that fail is below ${limit} % again.`
        : `${round(value)} % of the calls within five minutes returned 500 or above; more than ${limit} % is an alert. See the log for the cause, by request id.`;
    case "alert.geodata_age":
      return over
        ? `The geodata ${subject} has been renewed.`
        : `The data of ${subject} is ${day(Math.floor(value))} old; more than ${day(limit)} are an alert. Import it again: npm run import.`;
    case "alert.disk":
      return over
        ? "The disk has enough free space again."
        : `${round(value)} % of the disk is free; less than ${limit} % is an alert. Free up space: a full disk stops all writes.`;
    case "alert.archive":
      return over
        ? "Events move into the archive again."
        : `The last ${value} runs of the archive have failed; ${limit} are an alert. Nothing is lost: events stay in the database, which grows. For the cause, see log lines with "what":"archive".`;
    case "alert.storage":
      return over
        ? `The database ${subject} is below ${limit} % of its limit again.`
        : `The database ${subject} has ${round(value)} % of the 10 GB that D1 allows; ${limit} % are an alert. At the limit all writes fail: move projects to another database, or shorten the retention.`;
    case "alert.eta_error":
      return over
        ? `The errors of arrival times (${subject}) are not larger than in the month before any more.`
        : `The median error of arrival times (${subject}) is ${round(value)} % of the duration, after ${round(limit)} % in the month before. See GET /v1/stats/eta.`;
    case "alert.backup":
      return over
        ? "Continuous backups are made again."
        : `The newest backup is ${Math.round(value)} s old; more than ${limit} s (${LATE_INTERVALS} intervals) are an alert. What was stored since then would be lost with the machine. For the cause, see log lines with "what":"backup".`;
    case "alert.crashes":
      return over
        ? `The server crashed less than ${limit} times within an hour.`
        : `The server crashed ${value} times within an hour; ${limit} are an alert. It restarts each time, and acknowledged data is on disk. See log lines with "what":"crashed", and what is before them.`;
  }
}

const round = (value: number) => Math.round(value * 10) / 10;
