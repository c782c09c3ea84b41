import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { street } from "../../worker/geodata/street.ts";

// Each phase of an import of a town is killed, and goes on.
vi.setConfig({ testTimeout: 600_000 });

const command = resolve(import.meta.dirname, "../../../src/server/import.ts");
let folder: string;
let town: string;
/** What is imported and killed again and again: by day a street, which has something for every layer. */
let killed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bad-end-"));
  town = join(folder, "town.osm.pbf");
  await writeDemoWorld(town, { size: 1 });
  killed = process.env.EVERY_KILL ? town : join(folder, "street.osm.pbf");
  if (killed !== town) await writePbf(killed, street());
});
afterAll(() => {
  vi.resetConfig();
  return rm(folder, { recursive: true });
});

let own: string;
beforeEach(async () => {
  own = await mkdtemp(join(folder, "run-"));
});

const words = (...more: string[]) => [
  ...[command, town, ...more],
  ...["--cache", join(own, "cache"), "--persist-to", join(own, "state")],
];

function run(env: NodeJS.ProcessEnv, ...more: string[]): Promise<{ code: number; out: string; error: string }> {
  return new Promise((done) => {
    execFile(process.execPath, words(...more), { env: { ...process.env, ...env } }, (error, out, errors) =>
      done({ code: Number(error?.code ?? 0), out, error: errors }),
    );
  });
}

/** Begins an import, and interrupts it where the phase begins. */
async function runUntil(phase: string, ...more: string[]): Promise<void> {
  const child = spawn(process.execPath, words("--json", ...more));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (text.includes(`"begin","phase":"${phase}"`)) child.kill("SIGINT");
  });
  expect((await once(child, "close"))[0]).toBe(130);
}

const buildOf = (out: string) => /as build ([0-9a-f]{16})|would be build ([0-9a-f]{16})/.exec(out)?.slice(1).join("");

describe("an import of all layers that is killed", () => {
  it("in the midst of any phase or step goes on from there, and ends with the same bytes", async () => {
    const script = join(import.meta.dirname, "killed-process.ts");
    const start = (at: string) => spawnSync(process.execPath, [script, killed, at], { stdio: "inherit" });
    let kills = 0;
    while (start(own).signal === "SIGKILL") expect(++kills).toBeLessThan(100);
    const places = readFileSync(join(own, "killed.txt"), "utf8").trim().split("\n");
    expect(places.length).toBe(kills);
    const phases = process.env.EVERY_KILL
      ? ["relations", "ways", "nodes", "regions", "places", "addresses", "roads", "basemap", "publish"]
      : ["nodes", "roads: car", "publish"];
    expect(places).toEqual(expect.arrayContaining(phases));
    // The same without an interruption, in one go.
    const whole = await mkdtemp(join(folder, "whole-"));
    await writeFile(join(whole, "killed.txt"), places.join("\n"));
    expect(start(whole).status).toBe(0);
    expect(await everything(own)).toEqual(await everything(whole));
    for (const at of [own, whole]) expect(readdirSync(join(at, "cache/work"))).toEqual([]);
  });
});

async function everything(at: string): Promise<Map<string, string>> {
  const bucket = openLocalBucket(join(at, "state"), "geodata");
  try {
    const all = new Map<string, string>();
    for (const key of [...(await bucket.list("")).keys()].sort()) {
      // Says since when a build is live; the builds themselves are compared.
      if (key === "live.json") continue;
      all.set(key, Buffer.from((await bucket.get(key))?.bytes ?? []).toString("base64"));
    }
    return all;
  } finally {
    bucket.close();
  }
}

describe("the command of an import", () => {
  // By day, the import that continues with more memory shows it for one layer.
  it.runIf(process.env.EVERY_KILL)("puts nothing into the system's temporary folder", async () => {
    const { code, error } = await run({ TMPDIR: join(own, "nowhere") }, "--memory", "600MB");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(existsSync(join(own, "nowhere"))).toBe(false);
  });

  it("says in a sentence that its memory was full, and continues with more, without the system's temporary folder", async () => {
    // Fills the heap of the process that works, before it begins.
    const hungry = join(own, "hungry.mjs");
    await writeFile(
      hungry,
      `if (process.argv[1]?.endsWith("import-run.ts")) { const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({}))); }`,
    );
    const { code, error } = await run(
      { NODE_OPTIONS: `--import ${hungry}` },
      "--memory",
      "600MB",
      "--layers",
      "regions",
    );
    expect(code).toBe(1);
    expect(error).toMatch(
      /^The import needs more memory than 600\.0 MB\. What is live did not change; the same command continues .* with a larger --memory\.\n {2}npm run import -- /,
    );
    expect(error).not.toMatch(/GCs|Native stack|node::/);
    const elsewhere = { TMPDIR: join(own, "nowhere") };
    expect(await run(elsewhere, "--memory", "700MB", "--layers", "regions")).toMatchObject({ code: 0, error: "" });
    expect(existsSync(elsewhere.TMPDIR)).toBe(false);
  });

  it.skipIf(process.platform !== "linux")("says that it was killed, when the system did that", async () => {
    const child = spawn(process.execPath, words("--layers", "places"));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.stdout.once("data", () => {
      const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
      process.kill(Number(pid), "SIGKILL");
    });
    expect((await once(child, "close"))[0]).toBe(1);
    expect(errors).toMatch(/^The import was killed, by the system if its memory is full.*What is live did not change/);
    const again = await run({}, "--layers", "places");
    expect(again.code).toBe(0);
  });

  it("ends where the disk is full midway, and goes on when there is room, with the same build", async () => {
    const layers = process.env.EVERY_KILL ? "places,roads" : "places";
    for (const phase of process.env.EVERY_KILL ? ["relations", "places"] : ["places"]) {
      // As far as this phase, and then no file may be larger than 100 blocks of 512 or 1024 bytes.
      await runUntil(phase, "--layers", layers);
      const full = spawnSync(
        "sh",
        ["-c", 'ulimit -f 100; exec "$0" "$@"', process.execPath, ...words("--layers", layers)],
        { encoding: "utf8" },
      );
      expect(full.status).toBe(1);
      expect(full.stderr).toMatch(
        /^The import could not write.*: files may not become this large here\. What is live did not change/,
      );
    }
    const whole = await run({}, "--layers", layers);
    expect(whole.code).toBe(0);
    if (!process.env.EVERY_KILL) return;
    own = await mkdtemp(join(folder, "run-"));
    const fresh = buildOf((await run({}, "--layers", layers, "--dry-run")).out);
    expect(fresh).toMatch(/^[0-9a-f]{16}$/);
    expect(buildOf(whole.out)).toBe(fresh);
  });
});
