import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, inject, it } from "vitest";
import { programIn } from "../../../core/metrics/promtool.ts";
import { METRICS_TOKEN } from "../../../support/worker-under-test.ts";
import { eventually } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

// Debian: apt-get install prometheus.
const PROMETHEUS = programIn("prometheus");
const MONITORING = resolve(import.meta.dirname, "../../../../docs/monitoring");

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });

/** Panels' queries as Grafana sends them. */
function queries(): string[] {
  const { panels } = JSON.parse(readFileSync(join(MONITORING, "grafana.json"), "utf8"));
  const all = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr));
  return all.map((expr: string) => expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "10s"));
}

it.skipIf(!PROMETHEUS)(
  "a real Prometheus reads the metrics, evaluates each rule and answers each panel (skipped without prometheus)",
  {
    timeout: 60_000,
  },
  async () => {
    const world = await openWorld();
    expect(world.id).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), "graticule-prometheus-"));
    const port = await freePort();
    const config = {
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(MONITORING, "alerts.yml")],
      scrape_configs: [
        {
          job_name: "graticule",
          authorization: { credentials: METRICS_TOKEN },
          static_configs: [{ targets: [new URL(inject("baseUrl")).host] }],
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
    const child = spawn(
      PROMETHEUS as string,
      [
        ...[`--config.file=${join(folder, "prometheus.yml")}`, `--storage.tsdb.path=${join(folder, "data")}`],
        ...[`--web.listen-address=127.0.0.1:${port}`, "--log.level=error"],
      ],
      { stdio: "ignore" },
    );
    const ask = async (path: string) => {
      // It answers 503 in plain text until its storage is open.
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined);
      return response?.headers.get("content-type")?.startsWith("application/json")
        ? ((await response.json()) as { status: string; data: never })
        : undefined;
    };
    const value = async (expr: string) => {
      const answer = await ask(`query?query=${encodeURIComponent(expr)}`);
      return (answer?.data as { result: { value: [number, string] }[] } | undefined)?.result;
    };
    try {
      await eventually(
        () => value("graticule_database_up"),
        (result) => result?.[0]?.value[1] === "1",
        40_000,
      );
      expect((await value("up"))?.[0].value[1]).toBe("1");
      for (const query of queries())
        expect([query, (await ask(`query?query=${encodeURIComponent(query)}`))?.status]).toEqual([query, "success"]);
      const rules = await eventually(
        async () =>
          (
            (await ask("rules"))?.data as
              | { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
              | undefined
          )?.groups[0]?.rules ?? [],
        (some) => some.length > 0 && some.every(({ health }) => health !== "unknown"),
        20_000,
      );
      expect(rules.length).toBeGreaterThanOrEqual(16);
      expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
      expect((await value('ALERTS{alertname="GraticuleDown",alertstate="firing"}'))?.length).toBe(0);
    } finally {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
