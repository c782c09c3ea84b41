import { DurableObject } from "cloudflare:workers";
import { WORLD } from "../../../core/geo/builds/manifest.ts";
import { MODES } from "../../../core/routing/graph/modes.ts";
import { hasGrown, parseReport } from "../../../core/routing/learn/eta-report.ts";
import { reportKey } from "../../../core/routing/learn/keys.ts";
import {
  type Alert,
  type AlertLimits,
  type AlertType,
  type Finding,
  isDue,
  LATE_INTERVALS,
  MAX_CRASHES,
  nextAlerts,
  parseAlertLimits,
} from "../../../core/webhooks/alerts.ts";
import { ErrorRates } from "../../../core/webhooks/error-rates.ts";
import type { ArchiveFigures } from "../../db/archive/archive-figures.ts";
import { byDatabase, commonDatabase, databaseOf, envOf } from "../../db/databases.ts";
import { type AlertReceiver, alertReceivers, callCounts, recentDeadLetters } from "../../db/projects/alerts.ts";
import { DATABASE_LIMIT_BYTES, databaseBytes } from "../../db/projects/storage.ts";
import { dataTime, openGeodata } from "../../geodata/live.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { within } from "../../platform/within.ts";
import { alertNotice } from "../../wire/alert.ts";
import { type ArchiveReport, nextReport } from "../archive-report.ts";
import { machineFigures } from "../machine.ts";
import { webhookSenderOf } from "../webhooks/webhook-sender-stub.ts";
import { lateWrites } from "../writer/database-writers-stub.ts";

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
/** Timeout for the bucket, the writers and the machine [ms]. */
const PATIENCE_MS = 5_000;

/**
 * One object per deployment: checks every minute for problems, and notifies the webhooks that subscribe to alerts. It
 * stores its data on its own disk, because the database is one of the things that can fail.
 */
export class AlertWatch extends DurableObject<Env> {
  #alerts = this.ctx.storage.kv.get<Alert[]>("alerts") ?? [];
  readonly #rates = new ErrorRates();

  /** @param now time of the scheduled run [ms] */
  async round(now: number): Promise<void> {
    const receivers = await this.#receivers();
    if (receivers.length === 0 && this.#alerts.length === 0) return;
    const { findings, unknown } = await this.#look(receivers, now);
    const wanted = (scope: number, type: AlertType) =>
      receivers.some((one) => one.scope === scope && one.eventTypes.includes(type));
    const next = nextAlerts(this.#alerts, findings, unknown, now).filter(({ scope, type }) => wanted(scope, type));
    // Saved before sending, so that a retry sends the same content.
    this.#keep(next);
    const done = new Map<Alert, Alert | undefined>();
    for (const alert of next.filter((one) => isDue(one, now))) {
      if (await this.#send(alert, receivers, now)) done.set(alert, alert.over ? undefined : { ...alert, told: true });
    }
    if (done.size > 0) this.#keep(next.flatMap((alert) => (done.has(alert) ? (done.get(alert) ?? []) : alert)));
  }

  /** Current alerts, for the deployment status. */
  current(): Alert[] {
    return this.#alerts.filter(({ over }) => !over);
  }

  /** Called after a run of the archive. */
  archived(at: number, isFailed: boolean, figures: ArchiveFigures | undefined): void {
    this.ctx.storage.kv.put("archive", nextReport(this.archive(), at, isFailed, figures));
  }

  /** The result of the last archive run; undefined: there was none. */
  archive(): ArchiveReport | undefined {
    return this.ctx.storage.kv.get<ArchiveReport>("archive");
  }

  #keep(alerts: Alert[]): void {
    this.#alerts = alerts;
    this.ctx.storage.kv.put("alerts", alerts);
  }

  /** The receivers of alerts; the last known ones while the database is unavailable. */
  async #receivers(): Promise<AlertReceiver[]> {
    const read = await within(PATIENCE_MS, alertReceivers(this.env));
    const known = this.ctx.storage.kv.get<AlertReceiver[]>("receivers") ?? [];
    if (!read) return known;
    if (JSON.stringify(read) !== JSON.stringify(known)) this.ctx.storage.kv.put("receivers", read);
    return read;
  }

  /** Checks only the conditions that a receiver subscribes to. */
  async #look(
    receivers: readonly AlertReceiver[],
    now: number,
  ): Promise<{ findings: Finding[]; unknown: Set<AlertType> }> {
    const limits = parseAlertLimits(this.env.ALERT_LIMITS);
    const findings: Finding[] = [];
    const unknown = new Set<AlertType>();
    await Promise.all(
      Object.entries(LOOKS).map(async ([name, look]) => {
        const type = name as AlertType;
        const scopes = [...new Set(receivers.filter((one) => one.eventTypes.includes(type)).map(({ scope }) => scope))];
        if (scopes.length === 0) return;
        const found = await within(
          PATIENCE_MS,
          look({ ...{ env: this.env, scopes, limits, now }, rates: this.#rates, archive: this.archive() }),
        );
        if (found) findings.push(...found.map((one) => ({ ...one, type })));
        else unknown.add(type);
      }),
    );
    return { findings, unknown };
  }

  /**
   * Hands an alert to the webhooks of its scope that subscribe to its type.
   * @returns whether all have accepted it
   */
  async #send(alert: Alert, receivers: readonly AlertReceiver[], now: number): Promise<boolean> {
    const { scope, type } = alert;
    const notice = await alertNotice(alert, now);
    const own = receivers.filter((one) => one.scope === scope && one.eventTypes.includes(type));
    const sent = await Promise.allSettled(
      own.map(async ({ id }) =>
        webhookSenderOf(await envOf(this.env, scope), scope, id).accept({ scope, id }, [notice], {}),
      ),
    );
    for (const one of sent)
      if (one.status === "rejected")
        console.error(JSON.stringify({ what: "alert", type, error: String(one.reason).slice(0, 300) }));
    return sent.every(({ status }) => status === "fulfilled");
  }
}

interface Look {
  env: Env;
  /** Scopes with subscribed webhooks. */
  scopes: readonly number[];
  limits: AlertLimits;
  rates: ErrorRates;
  archive: ArchiveReport | undefined;
  now: number;
}

/**
 * How each condition is checked; undefined: unknown at this time. Errors, dead letters and late writes are reported to
 * the project concerned; geodata, disk, archive, a full database, backups and crashes are shared, and every subscriber is notified.
 */
const LOOKS: Record<AlertType, (look: Look) => Promise<Omit<Finding, "type">[] | undefined>> = {
  async "alert.outbox"({ env, scopes, limits: { outbox: limit }, now }) {
    const late = await lateWrites(env);
    return late?.oldest.flatMap(([scope, since]) => {
      const value = (now - since) / 1000;
      return scopes.includes(scope) && value >= limit ? { scope, value, limit } : [];
    });
  },
  async "alert.dead_letters"({ env, scopes, now }) {
    const counts = await recentDeadLetters(env, scopes, now - HOUR_MS);
    return counts.map(({ scope, count }) => ({ scope, value: count, limit: 0 }));
  },
  async "alert.error_rate"({ env, scopes, limits: { errors: limit }, rates, now }) {
    const month = new Date(now).toISOString().slice(0, 7);
    const shares = rates.note(await callCounts(commonDatabase(env), scopes, month), month, now);
    return shares.flatMap(({ scope, share }) => (share > limit ? { scope, value: share, limit } : []));
  },
  async "alert.geodata_age"({ env, scopes, limits: { geodata: limit }, now }) {
    const { builds } = await openGeodata(env.GEODATA, { now, waitUntil: undefined });
    return builds.flatMap(({ build }) => {
      const value = (now - (dataTime(build) ?? now)) / DAY_MS;
      // The world base data comes with the program, and is as old as the program.
      if (build.name === WORLD || value <= limit) return [];
      return scopes.map((scope) => ({ scope, subject: build.name, value, limit }));
    });
  },
  async "alert.disk"({ env, scopes, limits: { disk: limit } }) {
    if (!env.MACHINE) return [];
    const { diskFreeBytes, diskSizeBytes } = await machineFigures(env.MACHINE);
    const value = (100 * diskFreeBytes) / diskSizeBytes;
    return value < limit ? scopes.map((scope) => ({ scope, value, limit })) : [];
  },
  async "alert.archive"({ scopes, limits: { archive: limit }, archive }) {
    const value = archive?.failing ?? 0;
    return value >= limit ? scopes.map((scope) => ({ scope, value, limit })) : [];
  },
  async "alert.storage"({ env, scopes, limits: { storage: limit } }) {
    // Only D1 has a limit of its own; on one machine it is the disk.
    if (env.MACHINE) return [];
    const found = await Promise.all(
      [...(await byDatabase(env, scopes))].map(async ([one, own]) => {
        const value = (100 * (await databaseBytes(one.DB))) / DATABASE_LIMIT_BYTES;
        return value >= limit ? own.map((scope) => ({ scope, subject: databaseOf(one), value, limit })) : [];
      }),
    );
    return found.flat();
  },
  async "alert.eta_error"({ env, scopes }) {
    const found = await Promise.all(
      scopes.map(async (scope) => {
        const stored = await projectBucket(await envOf(env, scope)).get(reportKey(scope));
        if (!stored) return [];
        const report = parseReport(await stored.text());
        return MODES.flatMap((mode) => {
          const grown = hasGrown(report, mode);
          return grown ? [{ scope, subject: mode, value: grown.now, limit: grown.before }] : [];
        });
      }),
    );
    return found.flat();
  },
  async "alert.backup"({ env, scopes }) {
    if (!env.MACHINE) return [];
    const { ageMs = 0, everyMs = 0, isLate } = (await machineFigures(env.MACHINE)).backup ?? {};
    if (!isLate) return [];
    return scopes.map((scope) => ({ scope, value: ageMs / 1000, limit: (LATE_INTERVALS * everyMs) / 1000 }));
  },
  async "alert.crashes"({ env, scopes }) {
    if (!env.MACHINE) return [];
    const value = (await machineFigures(env.MACHINE)).crashesLastHour ?? 0;
    return value >= MAX_CRASHES ? scopes.map((scope) => ({ scope, value, limit: MAX_CRASHES })) : [];
  },
};
