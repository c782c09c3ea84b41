import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { READING } from "../../../src/importer/osm/read/read-extracts.ts";
import { runInOneProcess } from "../../server/commands/one-process.ts";

const root = resolve(import.meta.dirname, "../../..");
let folder: string;
let town: string;
beforeAll(async () => {
  for (const name of ["R2_ACCOUNT_ID", "R2_ACCESS_KEY_ID", "R2_SECRET_ACCESS_KEY"]) vi.stubEnv(name, "");
  folder = await mkdtemp(join(tmpdir(), "command-"));
  town = join(folder, "small-town-latest.osm.pbf");
  await writeDemoWorld(town, { size: 1 });
});
afterAll(() => {
  vi.unstubAllEnvs();
  return rm(folder, { recursive: true });
});

/** Runs `npm run COMMAND -- …` without npm. */
function run(command: "import" | "geodata", ...words: string[]): Promise<{ code: number; out: string; error: string }> {
  const state = [
    "--persist-to",
    join(folder, "state"),
    ...(command === "import" ? ["--cache", join(folder, "cache")] : []),
  ];
  const environment = { ...process.env, R2_ACCOUNT_ID: "", R2_ACCESS_KEY_ID: "", R2_SECRET_ACCESS_KEY: "" };
  return new Promise((done) => {
    execFile(
      process.execPath,
      [join(root, `src/server/${command}.ts`), ...words, ...state],
      { env: environment },
      (error, out, errors) => done({ code: Number(error?.code ?? 0), out, error: errors }),
    );
  });
}

describe("npm run import", () => {
  it("says what it would build and how large, then builds it, and lists it as live", async () => {
    const dry = await run("import", town, "--layers", "places", "--dry-run");
    expect(dry).toMatchObject({ code: 0, error: "" });
    expect(dry.out).toMatch(/places +[\d.]+ kB +[\d,]+ places/);
    const id = /small-town would be build ([0-9a-f]{16})/.exec(dry.out)?.[1];
    expect((await run("geodata", "list")).out).toMatch(/No builds/);

    const real = await run("import", town, "--layers", "places");
    expect(real).toMatchObject({ code: 0, error: "" });
    // The dry run had done the work.
    expect(real.out).toMatch(/places +done before/);
    expect(real.out).toContain(`small-town is live as build ${id}`);

    const list = JSON.parse((await run("geodata", "list", "--json")).out);
    expect(list).toMatchObject([
      { id, live: true, name: "small-town", inputs: [{ name: "small-town-latest.osm.pbf" }] },
    ]);
    expect((await run("geodata", "remove", id ?? "")).error).toMatch(/is live/);
  });

  it.each<[string, string[], RegExp]>([
    [
      "a table no layer reads",
      ["TOWN", "--layers", "places", "--dma", "NOTES"],
      /No layer of this import .places. reads --dma/,
    ],
    ["speeds that no layer reads", ["TOWN", "--layers", "places", "--speeds", "NOTES"], /reads --speeds/],
    ["speeds that name no roads", ["TOWN", "--layers", "roads", "--speeds", "NOTES"], /no column is called "buy milk"/],
    ["a remote bucket without credentials", ["TOWN", "--remote"], /R2_ACCESS_KEY_ID/],
  ])("answers %s with a sentence", async (_, words, sentence) => {
    await writeFile(join(folder, "notes.txt"), "buy milk");
    const named = words.map((word) => ({ TOWN: town, NOTES: join(folder, "notes.txt") })[word] ?? word);
    const places = ["--persist-to", join(folder, "state"), "--cache", join(folder, "cache")];
    const { code, output } = await runInOneProcess("import/import-run.ts", [...named, ...places]);
    expect(code).toBe(1);
    expect(output).toMatch(sentence);
    expect(output).not.toMatch(/ at .*\.ts:\d/);
  });

  it("takes speeds, and names the lines it passes over", async () => {
    const speeds = join(folder, "speeds.csv");
    await writeFile(speeds, "way_id,days,hours,speed\n1,Mo-Fr,07:00-09:00,20\n2,,,fast\n");
    const words = [town, "--layers", "roads", "--speeds", speeds, "--dry-run"];
    for (const { code, out } of [await run("import", ...words), await run("import", ...words)]) {
      expect(code).toBe(0);
      expect(out).toContain('speeds.csv, line 3: speed "fast" is not 1 to 250 km/h.');
      expect(out).toContain("speeds.csv, line 2: the extract has no road for cars with these ids.");
      expect(out).toMatch(/1 windows? of time with speeds of their own/);
    }
    expect((await run("import", "--help")).out).toMatch(/--speeds: columns way_id .*from_node/);
  });

  it("tells a script what it does, an event a line", async () => {
    const words = [town, "--layers", "regions", "--dry-run", "--json", "--memory", "600MB", "--threads", "1"];
    const { code, out, error } = await run("import", ...words);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: "forecast", memory: { given: 600e6, least: 512e6 } });
    expect(events[0].counts.addresses).toBeGreaterThan(10_000);
    const ended = events.filter(({ event }) => event === "end").map(({ phase, number, of }) => [phase, number, of]);
    expect(ended).toEqual([...READING, "regions"].map((phase, i) => [phase, i + 1, READING.length + 1]));
    expect(events.at(-1)).toMatchObject({ event: "done", name: "small-town", published: false });
    const missing = await run("import", join(folder, "nowhere.osm.pbf"), "--json");
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.out)).toMatchObject({ event: "error", message: expect.stringMatching(/nowhere/) });
  });

  it("that is interrupted says so, changes nothing, and leaves no process", async () => {
    const before = (await run("geodata", "list", "--json")).out;
    const words = [town, "--name", "other", "--persist-to", join(folder, "state"), "--cache", join(folder, "cache2")];
    const child = spawn(process.execPath, [join(root, "src/server/import.ts"), ...words]);
    let errors = "";
    child.stderr.on("data", (text) => {
      errors += text;
    });
    child.stdout.once("data", () => child.kill("SIGINT"));
    const [code] = await once(child, "close");
    expect(code).toBe(130);
    expect(errors).toMatch(
      /Interrupted.*the same command continues from the last finished step:\n {2}npm run import -- /,
    );
    expect(errors).toContain("--name other");
    expect((await run("geodata", "list", "--json")).out).toBe(before);
    // The process that did the work has let go of it.
    const again = await run(
      "import",
      town,
      "--name",
      "other",
      "--layers",
      "regions",
      "--cache",
      join(folder, "cache2"),
    );
    expect(again).toMatchObject({ code: 0, error: "" });
  });
});

describe("npm run geodata", () => {
  it.each<[string, string[], RegExp]>([
    ["a build there is not", ["activate", "0123456789abcdef"], /There is no build/],
    ["a name there is not", ["rollback", "atlantis"], /No build named atlantis/],
  ])("answers %s with a sentence", async (_, words, sentence) => {
    const { code, error } = await run("geodata", ...words);
    expect(code).toBe(1);
    expect(error).toMatch(sentence);
    expect(error).not.toMatch(/ at .*\.ts:\d/);
  });
});
