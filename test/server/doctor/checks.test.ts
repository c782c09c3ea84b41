import { describe, expect, it } from "vitest";
import { VERSION } from "../../../src/core/metrics/version.ts";
import { type Answer, type Ask, examine } from "../../../src/server/doctor/checks.ts";
import type { Finding } from "../../../src/server/doctor/finding.ts";

const KNOWN = { schema: "0007_rows.sql", formats: { regions: 4, roads: 10 } };
const HEALTH = {
  version: VERSION,
  bindings: { DB: true, GEODATA: true, ALERT_WATCH: true, ANALYTICS: false },
  schema: { expected: "0007_rows.sql", found: "0007_rows.sql" as string | undefined },
  objects: true,
  geodata: {
    builds: [
      { name: "world", layers: { regions: 4 } as Record<string, number> },
      { name: "monaco", layers: { regions: 4, roads: 10 } as Record<string, number>, center: [7.42, 43.73] },
    ],
  } as { builds: unknown[] } | undefined,
  disk: { freeBytes: 80e9, sizeBytes: 100e9 },
};
const archiveOf = (more: object) => ({
  ...HEALTH,
  archive: { lastRoundAt: new Date().toISOString(), failing: 0, events: 1000, bytes: 200_000, ...more },
});

/** A deployment that answers like this, and what it was asked. */
function deployment(health: object, { status = 200, ahead = 0, failing = "" } = {}): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const ask: Ask = async (method, path): Promise<Answer> => {
    asked.push(`${method} ${path}`);
    const at = Date.now();
    const answer = (code: number, body: unknown, headers = {}) => ({
      status: code,
      body,
      headers: new Headers(headers),
      sent: at,
      came: at + 4,
    });
    if (path === "/v1/health") {
      const error = { meta: { code: status, message: "Unauthorized. The API key is unknown or has been revoked." } };
      return answer(status, status === 200 ? { time: new Date(at + ahead).toISOString(), ...health } : error);
    }
    if (failing && path.startsWith(failing))
      return answer(500, { meta: { code: 500, message: "Internal server error." } }, { "x-request-id": "the-id" });
    return answer(200, { meta: { code: 200 } });
  };
  return { ask, asked };
}

const wrongOf = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state !== "ok").map(({ check, state }) => `${check}: ${state}`);

describe("the doctor", () => {
  it("finds nothing wrong with a deployment that is well, and asks it for one thing of each kind", async () => {
    const { ask, asked } = deployment(archiveOf({}));
    const findings = await examine(ask, KNOWN);
    expect(wrongOf(findings)).toEqual([]);
    expect(findings.find(({ check }) => check === "archive")?.said).toBe("1000 events, 0.2 MB");
    expect(findings.find(({ check }) => check === "geodata")?.said).toBe("world base data and monaco");
    expect(asked).toEqual(
      expect.arrayContaining(["GET /v1/ping", "POST /v1/track", "DELETE /v1/users/graticule-doctor"]),
    );
    expect(asked.some((one) => one.includes("/v1/route/directions?locations=43.73"))).toBe(true);
  });

  it.each<[string, object, Parameters<typeof deployment>[1], string[], RegExp]>([
    ["a key nobody has", HEALTH, { status: 401 }, ["key: wrong"], /--key/],
    ["a publishable key", HEALTH, { status: 403 }, ["key: wrong"], /secret key/],
    ["a Worker from before this command", HEALTH, { status: 404 }, ["key: wrong"], /deploy/],
    [
      "tables older than the Worker",
      { ...HEALTH, schema: { expected: "0007_rows.sql", found: "0006_transfer.sql" } },
      {},
      ["tables: wrong"],
      /npm run deploy/,
    ],
    ["no tables", { ...HEALTH, schema: { expected: "0007_rows.sql" } }, {}, ["tables: wrong"], /npm start/],
    ["no world base data", { ...HEALTH, geodata: { builds: [] } }, {}, ["geodata: wrong"], /npm run import/],
    ["a bucket that does not answer", { ...HEALTH, geodata: undefined }, {}, ["geodata: wrong"], /verify/],
    ["no import", { ...HEALTH, geodata: { builds: [HEALTH.geodata?.builds[0]] } }, {}, ["geodata: note"], /import/],
    [
      "geodata of a newer program",
      { ...HEALTH, geodata: { builds: [{ name: "world", layers: { regions: 5 } }, HEALTH.geodata?.builds[1]] } },
      {},
      ["formats: wrong"],
      /Upgrade/,
    ],
    [
      "a binding that is missing",
      { ...HEALTH, bindings: { ...HEALTH.bindings, DB: false } },
      {},
      ["bindings: wrong"],
      /wrangler.toml/,
    ],
    [
      "a project in a jurisdiction without its bindings",
      { ...HEALTH, bindings: { ...HEALTH.bindings, DB_EU: true, BUCKET_EU: false } },
      {},
      ["bindings: wrong"],
      /docs\/residency.md/,
    ],
    ["objects that do not answer", { ...HEALTH, objects: false }, {}, ["objects: wrong"], /log/],
    ["another version", { ...HEALTH, version: "0.1.0" }, {}, ["version: note"], /edeploy/],
    ["a clock two minutes behind", HEALTH, { ahead: -120_000 }, ["clock: wrong"], /NTP/],
    ["a clock ten seconds ahead", HEALTH, { ahead: 10_000 }, ["clock: note"], /NTP/],
    [
      "a disk nearly full",
      { ...HEALTH, disk: { freeBytes: 4e9, sizeBytes: 100e9 } },
      {},
      ["disk: wrong"],
      /disk space/,
    ],
    ["an archive whose rounds fail", archiveOf({ failing: 3 }), {}, ["archive: wrong"], /"archive"/],
    [
      "an archive without rounds",
      archiveOf({ lastRoundAt: new Date(Date.now() - 4 * 3600_000).toISOString() }),
      {},
      ["archive: wrong"],
      /cron/,
    ],
    [
      "an archive that has more to move than it did",
      archiveOf({ waitingSince: "2026-01-01T00:00:00.000Z" }),
      {},
      ["archive: note"],
      /next runs/,
    ],
    ["a request that fails", HEALTH, { failing: "/v1/route/distance" }, ["request: distance: wrong"], /the-id/],
  ])("says of %s what is wrong, that alone, and what to do", async (_, health, manner, wrong, todo) => {
    const findings = await examine(deployment(health, manner).ask, KNOWN);
    expect(wrongOf(findings)).toEqual(wrong);
    expect(findings.find(({ state }) => state !== "ok")?.todo).toMatch(todo);
  });

  it("says that nobody answers, in words of ours, and asks no further", async () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    const findings = await examine(() => Promise.reject(new TypeError("fetch failed", { cause })), KNOWN);
    expect(findings).toMatchObject([
      {
        check: "reached",
        state: "wrong",
        said: "no response: nothing listens there",
        todo: expect.stringContaining("--port N"),
      },
    ]);
  });
});
