import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RequestFigures } from "../../../src/core/metrics/request-figures.ts";
import { cacheFiguresOf } from "../../../src/worker/geodata/cache-figures.ts";
import { isolateText, metricsText } from "../../../src/worker/http/metrics/text.ts";
import { parseExposition } from "./parse-exposition.ts";
import { PROMTOOL } from "./promtool.ts";

const FOLDER = join(import.meta.dirname, "../../../docs/monitoring");
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const NOW = Date.UTC(2026, 10, 26);

/** Every metric that a deployment can have, with what a histogram is stored as. */
function exported(): Set<string> {
  const requests = new RequestFigures();
  cacheFiguresOf("roads").hits++;
  requests.since = NOW;
  requests.of("track").note(200, 5, NOW);
  const text = metricsText(
    requests,
    {
      at: NOW,
      database: { webhooks: 1, asked: [], deadLetters: 0, usersThisHour: 1, usersToday: 2, schema: "0001_a.sql" },
      queues: { waiting: 0, longest: 0, since: NOW, unknown: 0 },
      late: { trackers: 0, oldest: [] },
      builds: [
        {
          id: "a",
          name: "malta",
          liveSince: "2026-11-01T00:00:00Z",
          sources: [{ name: "OSM", date: "2026-10-01T00:00:00Z" }],
        },
      ] as never,
      machine: {
        diskFreeBytes: 1,
        diskSizeBytes: 2,
        memoryBytes: 3,
        isDiskFull: false,
        stuckRestarts: 0,
        crashRestarts: 0,
        crashesLastHour: 0,
        backup: { at: NOW, everyMs: 60_000, pausedMs: 9, isFailing: false },
      },
      archive: {
        at: NOW,
        failing: 0,
        failed: 0,
        figures: { events: 1, parts: 1, bytes: 1, oldestHot: NOW, waiting: NOW },
      } as never,
    },
    { 2: isolateText(requests) },
    NOW,
  );
  return new Set(
    [...parseExposition(text).values()].flatMap(({ name, samples }) => [name, ...samples.map((one) => one.name)]),
  );
}

const named = (text: string) => [...new Set(text.match(/\bgraticule_\w+/g) ?? [])].sort();

describe("the alert rules and the dashboard of docs/monitoring", () => {
  it.each(["alerts.yml", "grafana.json", "alerts.test.yml"])("%s names only metrics that are exported", (file) => {
    const known = exported();
    const names = named(read(file));
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it("watch every metric of webhooks, archive, backups, geodata and the disk by rule or panel", () => {
    const watched = new Set(named(read("alerts.yml") + read("grafana.json")));
    const areas =
      /^graticule_(webhook|dead|outbox|archive_(round|event|part|wait)|backup|geodata_data|disk)\w*(?<!_sum|_count)$/;
    const missing = [...exported()].filter((name) => areas.test(name) && !watched.has(name));
    expect(missing).toEqual(["graticule_archive_round_timestamp_seconds", "graticule_archive_rounds_failed_total"]);
  });

  it("the dashboard has a place and a query for each panel, and no place twice", () => {
    const { panels } = JSON.parse(read("grafana.json"));
    const places = new Set(panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`));
    expect(places.size).toBe(panels.length);
    for (const { type, targets, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      if (type !== "row") expect(targets.length).toBeGreaterThan(0);
    }
  });

  // Debian: apt-get install prometheus.
  it.skipIf(!PROMTOOL)("promtool accepts the rules, and each fires when it must (skipped without promtool)", () => {
    const promtool = (...words: string[]) => execFileSync(PROMTOOL as string, words, { cwd: FOLDER, encoding: "utf8" });
    expect(promtool("check", "rules", "alerts.yml")).toMatch(/SUCCESS: \d+ rules found/);
    expect(promtool("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
  });
});
