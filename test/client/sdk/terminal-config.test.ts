import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { runTerminal } from "../../../src/client/terminal/terminal.ts";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { call, get, type Json, makeWorld, type World } from "../../support/world.ts";

/** `graticule config` against a server, and the workflow of the guide. */

const GUIDE = readFileSync(join(ROOT, "docs/guides/configuration.md"), "utf8");
/** A block of the guide in a language. */
const blockOf = (language: string) => GUIDE.split(`\`\`\`${language}\n`)[1].split("\n```")[0];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "graticule-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function config(world: World, args: string[], environment: Record<string, string> = {}, answer?: boolean) {
  const printed = { out: "", error: "" };
  const code = await runTerminal(["config", ...args], {
    environment: { GRATICULE_HOST: inject("baseUrl"), GRATICULE_KEY: world.keys.testSecret, ...environment },
    print: (text) => (printed.out += text),
    printError: (text) => (printed.error += text),
    width: 100,
    signal: new AbortController().signal,
    ...(answer !== undefined && { ask: async () => answer }),
  });
  return { code, ...printed };
}

const STYLE = {
  version: 8,
  sources: {},
  layers: [{ id: "b", type: "background", paint: { "background-color": "#fff" } }],
};

/** Everything that a file can contain. */
const CONFIGURATION = {
  version: 1,
  settings: {
    timeZone: "Europe/Berlin",
    chainMappings: { "some-chain": "1" },
    returnedEventTypes: ["user.entered_geofence"],
    tracking: { dwellThreshold: 7, regions: { dma: false } },
    tokens: { required: true, keys: { k1: { alg: "HS256", variable: "TOKEN_KEY" } } },
  },
  geofences: [
    {
      ...{
        tag: "shop",
        externalId: "circle",
        description: "A",
        type: "circle",
        coordinates: [-111.2, 48.99],
        radius: 150,
      },
      ...{
        metadata: { z: 1, a: true },
        operatingHours: { Mon: [["09:00", "17:30"]] },
        disableAfter: "2030-01-01T00:00:00Z",
      },
      ...{ userIds: ["ann"], dwellThreshold: 3, stopDetection: true },
    },
    {
      ...{ tag: "shop", externalId: "polygon/1", description: "B", type: "polygon", enabled: false },
      coordinates: [
        [
          [-111.2, 48.99],
          [-111.19, 48.99],
          [-111.19, 49],
          [-111.2, 48.99],
        ],
      ],
    },
  ],
  beacons: [
    {
      ...{ tag: "door", externalId: "1", description: "Door", type: "ibeacon", coordinates: [-111.2, 48.99] },
      ...{ uuid: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", major: "1", minor: "2", enabled: true },
    },
  ],
  styles: [{ id: "plain", style: STYLE }],
  segments: [
    {
      ...{ externalId: "regulars", description: "Regulars" },
      rule: {
        conditions: [
          { type: "geofenceTag", value: "shop", not: false },
          { type: "chain", value: "some-chain", weeks: 2 },
        ],
      },
    },
  ],
  campaigns: [
    {
      ...{ name: "Welcome", type: "eventNotification", limits: { total: 3 } },
      trigger: { event: "user.entered_geofence" },
      content: { text: "Welcome to the store." },
    },
  ],
  meetings: [{ name: "Couriers", users: { userTags: ["courier"] }, radius: 100 }],
  webhooks: [
    {
      ...{
        description: "Orders",
        url: "https://example.com/hook",
        eventTypes: ["user.entered_geofence"],
        enabled: false,
      },
      ...{ settings: { template: '{"a": "{{event.type}}"}' }, secrets: { "headers.X-Token": "HOOK_TOKEN" } },
    },
    {
      ...{ description: "Records", type: "kafka", url: "https://example.com/kafka", delivery: "multiple" },
      settings: { topic: "events" },
    },
  ],
};
const SECRETS = { HOOK_TOKEN: "hook-token-value", TOKEN_KEY: "a shared secret of at least 32 bytes" };

function write(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

describe("graticule config", () => {
  it("applies a file, changes nothing the second time, and pulls the same file everywhere", async () => {
    const [world, other] = await Promise.all([makeWorld(), makeWorld()]);
    const file = write("all.json", CONFIGURATION);
    const missing = await config(world, ["apply", file, "--yes"]);
    expect([missing.code, missing.error]).toEqual([1, "Set these environment variables: TOKEN_KEY, HOOK_TOKEN.\n"]);
    expect((await get("/v1/geofences", world.keys.testSecret)).body.geofences).toEqual([]);

    const difference = await config(world, ["diff", file]);
    expect(difference).toMatchObject({ code: 0, error: "" });
    expect(difference.out).toContain('    timeZone: "UTC" → "Europe/Berlin"\n');
    expect(difference.out).toContain("+ geofences shop/circle\n");
    expect(difference.out).toMatch(/9 to create, 1 to update, 0 to delete; 0 unchanged\.\n$/);

    const applied = await config(world, ["apply", file, "--yes"], SECRETS);
    expect(applied).toMatchObject({ code: 0, error: "" });
    expect(applied.out).toContain("rotate it in the dashboard: webhooks Orders, webhooks Records.\n");
    expect(applied.out).toMatch(/Applied 10 of 10 changes\.\n$/);
    expect(applied.out).not.toContain("stores other values");
    const second = await config(world, ["apply", file]);
    expect(second).toMatchObject({ code: 0, error: "" });
    expect(second.out).toMatch(/0 to create, 0 to update, 0 to delete; 10 unchanged\.\nApplied 0 of 0 changes\.\n$/);

    const pulled = join(folder, "pulled.json");
    expect((await config(world, ["pull", pulled])).out).toBe(
      `The settings, 1 segments, 2 geofences, 1 beacons, 1 styles, 2 webhooks, 1 campaigns, 1 meetings are in ${pulled}.\n`,
    );
    const text = readFileSync(pulled, "utf8");
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    const { settings, webhooks } = JSON.parse(text);
    expect(settings.tokens.keys.k1).toEqual({ alg: "HS256", variable: "TOKEN_KEY_K1" });
    expect(webhooks[0].secrets).toEqual({ "headers.X-Token": "WEBHOOK_ORDERS_X_TOKEN" });
    // The names of variables in the file stay.
    writeFileSync(pulled, text.replace("WEBHOOK_ORDERS_X_TOKEN", "HOOK_TOKEN").replace("TOKEN_KEY_K1", "TOKEN_KEY"));
    await config(world, ["pull", pulled]);
    expect(readFileSync(pulled, "utf8")).toContain('"headers.X-Token": "HOOK_TOKEN"');

    expect((await config(other, ["apply", pulled, "--yes"], SECRETS)).code).toBe(0);
    const copy = join(folder, "copy.json");
    writeFileSync(copy, readFileSync(pulled));
    await config(other, ["pull", copy]);
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(pulled, "utf8"));
  });

  it("updates, removes settings and secrets, and deletes only with --prune", async () => {
    const world = await makeWorld();
    const file = write("many.json", CONFIGURATION);
    await config(world, ["apply", file, "--yes"], SECRETS);
    const [orders] = CONFIGURATION.webhooks;
    const changed = {
      version: 1,
      settings: { chainMappings: {}, returnedEventTypes: "all", tokens: { required: false, keys: {} } },
      geofences: [{ ...CONFIGURATION.geofences[0], radius: 300, metadata: undefined }],
      webhooks: [{ ...orders, enabled: true, settings: {}, secrets: undefined, eventTypes: undefined }],
    };
    const next = write("changed.json", changed);
    const kept = await config(world, ["apply", next, "--json", "--yes"]);
    expect(kept).toMatchObject({ code: 0, error: "" });
    const report = JSON.parse(kept.out);
    expect(report.applied.map(({ kind, key }: Json) => [kind, key])).toEqual([
      ["settings", ""],
      ["geofences", "shop/circle"],
      ["webhooks", "Orders"],
    ]);
    expect(report.kept).toEqual([
      { kind: "geofences", key: "shop/polygon/1" },
      { kind: "webhooks", key: "Records" },
    ]);
    expect(report.differing).toEqual([]);
    const key = world.keys.testSecret;
    const { body: settings } = await get("/v1/settings", key);
    expect([settings.chainMappings, settings.returnedEventTypes, settings.timeZone]).toEqual([
      {},
      undefined,
      "Europe/Berlin",
    ]);
    expect(Object.keys(settings.tokens.keys)).toEqual(["k1"]);
    const { webhook } = (await get(`/v1/webhooks/${(await webhookIds(key)).Orders}`, key)).body;
    expect(webhook).toMatchObject({ enabled: true });
    expect([webhook.settings, webhook.eventTypes]).toEqual([undefined, undefined]);

    const refused = await config(world, ["apply", next, "--prune"]);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("Nothing was applied. Add --yes")]);
    expect((await config(world, ["apply", next, "--prune"], {}, false)).code).toBe(2);
    const pruned = await config(world, ["apply", next, "--prune"], {}, true);
    expect(pruned.out).toContain("- geofences shop/polygon/1\n");
    expect(pruned.out).toMatch(/Applied 3 of 3 changes\.\n$/);
    expect(Object.keys(await webhookIds(key))).toEqual(["Orders"]);
    expect((await get("/v1/settings", key)).body.tokens.keys).toEqual({});
    // Sections that the file does not have stay.
    expect((await get("/v1/beacons", key)).body.beacons).toHaveLength(1);
  });

  it("stops at a failure with the request id, and continues in the next run", async () => {
    const world = await makeWorld();
    const [circle, polygon] = CONFIGURATION.geofences;
    const after = { ...circle, externalId: "z" };
    const broken = { ...polygon, coordinates: [[0, 0]] };
    const failed = await config(world, [
      "apply",
      write("broken.json", { version: 1, geofences: [after, broken, circle] }),
      "--yes",
    ]);
    expect(failed.code).toBe(1);
    expect(failed.error).toMatch(/^coordinates: .+ \(request [\w-]+\)\n$/);
    expect(failed.out).toMatch(
      /Applied 1 of 3 changes\.\nFailed: geofences shop\/polygon\/1\nNot applied: geofences shop\/z\nRun the same command again to continue\.\n$/,
    );
    const again = await config(world, [
      "apply",
      write("fixed.json", { version: 1, geofences: [after, polygon, circle] }),
      "--yes",
    ]);
    expect(again.out).toMatch(/2 to create, 0 to update, 0 to delete; 1 unchanged\.\nApplied 2 of 2 changes\.\n$/);
  });

  it("is a workflow on GitHub, with the file of the guide", async () => {
    const world = await makeWorld();
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(folder, "graticule.json"), blockOf("json"));
    const shim = (name: string, line: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    // The package is installed and run by test/client/sdk/client-package.test.ts.
    shim("graticule", `exec "${process.execPath}" "${join(ROOT, "src/client/terminal/main.ts")}" "$@"`);
    shim("npm", `echo "$@" > "${join(folder, "npm-arguments")}"`);
    const { jobs } = parse(blockOf("yaml"));
    const { env, steps } = jobs.configuration as { env: Record<string, string>; steps: { run?: string }[] };
    const variables = { GRATICULE_HOST: inject("baseUrl"), GRATICULE_KEY: world.keys.testSecret, WEBHOOK_TOKEN: "t" };
    expect(Object.keys(env).sort()).toEqual(Object.keys(variables).sort());
    const logs: string[] = [];
    for (const { run } of steps) {
      if (run === undefined) continue;
      const { stdout } = await promisify(execFile)("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
        cwd: folder,
        env: { PATH: `${bin}:${process.env.PATH}`, ...variables },
      });
      logs.push(stdout);
    }
    expect(existsSync(join(folder, "npm-arguments"))).toBe(true);
    expect(logs).toHaveLength(3);
    expect(logs[1]).toMatch(/2 to create, 1 to update, 0 to delete; 0 unchanged\.\n$/);
    expect(logs[2]).toMatch(/Applied 3 of 3 changes\.\n$/);
    expect((await get("/v1/geofences/store/5", world.keys.testSecret)).status).toBe(200);
  });
});

async function webhookIds(key: string): Promise<Record<string, string>> {
  const { body } = await call("GET", "/v1/webhooks", { key });
  return Object.fromEntries(body.webhooks.map(({ description, _id }: Json) => [description, _id]));
}
