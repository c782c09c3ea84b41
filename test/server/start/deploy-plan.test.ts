import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { databasesToCreate, planText } from "../../../src/server/deploy/plan.ts";
import { busyMs } from "../../../src/server/deploy/startup-cpu.ts";
import { deployTrouble } from "../../../src/server/deploy/trouble.ts";

const rowsOf = (text: string) =>
  Object.fromEntries(text.split("\n").map((line) => line.split(/ {2,}/) as [string, string]));

it("a dry run lists what a deployment of our wrangler.toml creates and sets", () => {
  const rows = rowsOf(planText({ secrets: ["METRICS_TOKEN"], databases: [] }));
  expect(rows).toMatchObject({
    Worker: "graticule",
    "D1 database": expect.stringMatching(/^graticule \(DB\): created, \d+ migrations$/),
    "R2 bucket": "graticule-geodata: created if it does not exist",
    "Durable Objects": expect.stringMatching(/^AlertWatch, CampaignIndex, .*WebhookSender$/),
    "Cron triggers": "7 * * * *, * * * * *",
    Secrets: "METRICS_TOKEN",
    "CPU limit": "30000 ms per invocation (paid plan)",
    Logs: "20 % of the lines in Workers Logs",
    Permissions: "Workers Scripts Edit, D1 Edit, Workers R2 Storage Edit",
  });
});

it("… of an environment, with a domain, an existing database, or no access to the account", () => {
  const staging = rowsOf(
    planText({
      environment: "staging",
      domain: "maps.example.com",
      secrets: [],
      databases: [{ name: "graticule-staging" }],
    }),
  );
  expect(staging).toMatchObject({
    Worker: "graticule-staging at https://maps.example.com",
    "D1 database": expect.stringMatching(/^graticule-staging \(DB\): exists/),
    "R2 bucket": expect.stringContaining("graticule-geodata-staging"),
    Permissions: expect.stringContaining("Workers Routes Edit"),
  });
  expect(planText({ secrets: [] })).toMatch(/created if it does not exist, \d+ migrations/);
});

it("… in a jurisdiction", () => {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const database = (binding: string, name: string) =>
    `\n[[d1_databases]]\nbinding = "${binding}"\ndatabase_name = "${name}"\npreview_database_id = "1"\nmigrations_dir = "."\n`;
  const bucket = (binding: string, name: string, more = "") =>
    `\n[[r2_buckets]]\nbinding = "${binding}"\nbucket_name = "${name}"\n${more}`;
  try {
    const text = `name = "w"\n${database("DB", "d")}${database("DB_EU", "d-eu")}${bucket("GEODATA", "b")}`;
    writeFileSync(join(folder, "wrangler.toml"), text + bucket("BUCKET_EU", "b-eu", 'jurisdiction = "eu"\n'));
    const plan = (databases: { name: string; jurisdiction?: string }[]) => planText({ secrets: [], databases }, folder);
    expect(plan([])).toMatch(/d-eu \(DB_EU\): created \(jurisdiction eu\), 0 migrations/);
    expect(plan([])).toMatch(/b-eu \(BUCKET_EU\): created if it does not exist \(jurisdiction eu\)/);
    expect(plan([])).toMatch(/^Durable Objects .*of projects there in eu$/m);
    expect(plan([{ name: "d-eu", jurisdiction: "eu" }])).toMatch(/d-eu \(DB_EU\): exists \(jurisdiction eu\)/);
    expect(plan([{ name: "d-eu" }])).toMatch(/d-eu \(DB_EU\): exists, but not there/);
    writeFileSync(join(folder, "wrangler.toml"), text);
    expect(() => plan([])).toThrow('binding = "BUCKET_EU"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("creates databases in their jurisdiction before the Worker, and rejects those that exist elsewhere", () => {
  const configs = ["DB", "DB_2", "DB_EU", "DB_US"].map((binding) => ({ binding, name: binding.toLowerCase() }));
  const found = [{ name: "db_eu", jurisdiction: "eu" }];
  expect(databasesToCreate(configs, found)).toEqual([{ name: "db_us", jurisdiction: "us" }]);
  for (const jurisdiction of [null, "eu"])
    expect(() => databasesToCreate(configs, [...found, { name: "db_us", jurisdiction }])).toThrow(
      "not in the jurisdiction us",
    );
});

it("… without limits and with all log lines", () => {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  try {
    writeFileSync(
      join(folder, "wrangler.toml"),
      'name = "w"\n\n[[d1_databases]]\nbinding = "DB"\ndatabase_name = "d"\npreview_database_id = "1"\nmigrations_dir = "."\n\n[[r2_buckets]]\nbinding = "GEODATA"\nbucket_name = "b"\n',
    );
    expect(rowsOf(planText({ secrets: [] }, folder))).toMatchObject({
      ...{ "CPU limit": "that of the plan", Logs: "all lines", "Cron triggers": "none" },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("explains that the free plan accepts no CPU limit", () => {
  expect(deployTrouble("CPU limits are not supported for the Free plan. [code: 100328]")).toMatch(/paid plan/);
});

it("shows the CPU time of a start, if it was measured", () => {
  const planned = { secrets: [], startup: "42 ms on this machine" };
  expect(planText(planned)).toMatch(/^Start-up CPU +42 ms on this machine$/m);
  expect(planText({ secrets: [] })).not.toContain("Start-up");
});

it("counts the samples in which something ran", () => {
  const nodes = ["(idle)", "(program)", "start"].map((functionName, id) => ({ id, callFrame: { functionName } }));
  expect(busyMs({ nodes, samples: [0, 1, 2, 0, 2], timeDeltas: [9_000, 1_000, 2_000, 5_000, 3_000] })).toBe(6);
});
