import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { createProject } from "../../../src/server/project/projects.ts";
import { finished, runCli } from "./dev-process.ts";
import { runInOneProcess } from "./one-process.ts";

/** What every command says to words it does not understand. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "arguments-"));
  const database = openLocalDatabase(join(folder, "state"));
  await createProject(database, "one");
  database.close();
  writeFileSync(join(folder, "empty.csv"), "");
  writeFileSync(join(folder, "wrong.csv"), "a,b,c\n1,2,3\n");
  writeFileSync(join(folder, "notes.txt"), "buy milk");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An import starts a process that does the work. */
const WORKS: Record<string, string> = { import: "import/import-run" };

/** Scripts that have run in a process of their own, as a person runs them. */
const started = new Set<string>();

async function run(script: string, words: readonly string[], isAlone = !started.has(script)) {
  started.add(script);
  const named = words.map((word) => word.replace("FOLDER", folder));
  const { code, output } = await (isAlone
    ? finished(runCli(`${script}.ts`, named))
    : runInOneProcess(`${script}.ts`, named));
  expect(output).not.toMatch(/\n\s+at |Error:/);
  return { code, output };
}

const STATE = ["--persist-to", "FOLDER/state"];

describe("a command typed wrong answers a sentence and how it is typed, with code 2", () => {
  it.each<[script: string, words: string[], sentence: string]>([
    ["project", [], "Specify a command."],
    ["project", ["explode"], 'Unknown command "explode".'],
    ["project", ["--frob"], "Unknown option '--frob'."],
    ["project", ["create"], "Usage: npm run project -- create NAME"],
    ["project", ["create", " ", ...STATE], "A project needs a name."],
    ["project", ["create", "a", "b"], "Usage: npm run project -- create NAME"],
    ["project", ["list", "1"], "Usage: npm run project -- list"],
    ["project", ["keys", "one", ...STATE], 'The project\'s ID must be an integer of 0 or more, not "one".'],
    ["project", ["rotate", "1", "best", ...STATE], 'Unknown kind of key "best"'],
    ["project", ["quota", "1", "-5", ...STATE], "Unknown option '-5'."],
    ["project", ["quota", "1", "many", ...STATE], 'The quota must be an integer of 0 or more, not "many".'],
    ["project", ["limits", ...STATE], "Usage: npm run project -- limits ID"],
    ["project", ["limits", "1", "track", ...STATE], 'A limit must be ENDPOINT=N, not "track".'],
    ["project", ["limits", "1", "fly=5", ...STATE], 'Unknown endpoint "fly". Endpoints wit'],
    ["project", ["limits", "1", "track=0", ...STATE], "The limit of track must be an integer from 1 to 1000000"],
    ["project", ["limits", "1", "track=1.5", ...STATE], 'not "1.5".'],
    ["geodata", [], "Specify a command."],
    ["geodata", ["explode"], 'Unknown command "explode".'],
    ["geodata", ["rollback"], "Usage: npm run geodata -- rollback NAME"],
    ["geodata", ["list", "all"], "Usage: npm run geodata -- list"],
    ["geodata", ["list", "--frob"], "Unknown option '--frob'."],
    ["import", [], "Specify a file or a URL to import."],
    ["import", ["--frob"], "Unknown option '--frob'."],
    ["import", ["--demo", "--size", "999"], '--size must be an integer from 1 to 729, not "999".'],
    ["import", ["--demo", "--memory", "100MB"], "--memory is at least 512 MB, not 100MB"],
    ["import", ["--demo", "--memory", "3"], '--memory is a number with KB, MB, GB or GiB, such as 3GB, not "3".'],
    ["import", ["--demo", "--threads", "0"], '--threads must be an integer from 1 to 256, not "0".'],
    ["import", ["--demo", "--size", "0"], '--size must be an integer from 1 to 729, not "0".'],
    ["import", ["--demo", "--size"], "Option '--size <value>' argument missing."],
    ["import", ["--size", "2", "x.osm.pbf"], "--size requires --demo."],
    ["import", ["--demo", "--world"], "--world and --demo are separate builds. Specify only one."],
    ["import", ["--world", "x.osm.pbf"], "--world does not accept files. It is a separate build."],
    ["import", ["--world", "--dma", "x.csv"], "--world does not accept --dma. It uses bundled data."],
    ["import", ["--world", "--name", "x"], "--world does not accept --name. It us"],
    ["import", ["x.osm.pbf", "--layers", "rivers"], 'Unknown layer "rivers". Layers: '],
    ["import", ["a.osm.pbf", "b.osm.pbf"], "Several files form one build. Specify its name with --name."],
    ["import", ["a.osm.pbf", "--name", "Big Town"], "A build name may contain only lowercase letters"],
    ["import", ["a.osm.pbf", "--name", "world"], '"world" is reserved for --world.'],
    ["learn", [], "Specify --name NAME or --all."],
    ["learn", ["--name", "a", "--from", "today"], '--from must be a date such as 2026-11-02, not "today".'],
    ["dev", ["--frob"], "Unknown option '--frob'."],
    ["dev", ["now"], "Unexpected argument 'now'."],
    ["dev", ["--port", "70000"], '--port must be an integer from 0 to 65535, not "70000".'],
    ["dev", ["--port"], "Option '--port <value>' argument missing."],
    ["deploy", ["--frob"], "Unknown option '--frob'."],
    ["deploy", ["now"], "Unexpected argument 'now'."],
  ])("%s %j", async (script, words, sentence) => {
    const { code, output } = await run(script, words);
    expect(output).toContain(sentence);
    expect(output).toContain(`\n\nnpm run ${script}`);
    expect(output).toContain(`Everything it knows: npm run ${script} -- --help`);
    expect(code).toBe(2);
  });

  it("with options that npm took for itself, as they stood before the --", async () => {
    process.env.npm_config_port = "9000";
    const { code, output } = await run("dev", [], true).finally(() => delete process.env.npm_config_port);
    expect([code, output]).toEqual([2, expect.stringContaining('Put "--" before it: npm run dev -- --port')]);
  });
});

describe("a command that cannot do it answers a sentence, with code 1", () => {
  it.each<[script: string, words: string[], sentence: string]>([
    ["project", ["list", "--persist-to", "FOLDER/nowhere"], "Create it with: npm run dev"],
    ["project", ["keys", "7", ...STATE], "No project 7. See: npm run project -- list"],
    ["project", ["limits", "7", "track=5", ...STATE], "No project 7. See: npm run project -- list"],
    ["geodata", ["rollback", "atlantis", ...STATE], "No build named atlantis"],
    ["import", ["FOLDER/absent.osm.pbf", "--dry-run"], "absent.osm.pbf: there is no such file."],
    ["import", ["FOLDER", "--name", "x", "--dry-run"], ": it is a folder."],
    ["import", ["FOLDER/empty.csv", "--dry-run"], "empty.csv is empty."],
    ["import", ["FOLDER/wrong.csv", "--dry-run"], "lacks the columns LON, LAT, NUMBER and STREET of OpenAddresses."],
    ["import", ["FOLDER/notes.txt", "--dry-run"], "notes.txt is not an OpenStreetMap PBF file"],
    // The operator's tables come before the extract, which is not even there.
    ["import", ["FOLDER/a.osm.pbf", "--speeds", "FOLDER/wrong.csv"], 'wrong.csv: no column is called "a"'],
    ["import", ["FOLDER/a.osm.pbf", "--speeds", "FOLDER/empty.csv"], "empty.csv is empty"],
    ["import", ["FOLDER/a.osm.pbf", "--speeds", "FOLDER/absent.csv"], "absent.csv: there is no such file."],
    [
      "import",
      ["FOLDER/a.osm.pbf", "--places", "FOLDER/wrong.csv"],
      "wrong.csv has no column name, latitude, longitude",
    ],
    ["import", ["FOLDER/a.osm.pbf", "--dma", "FOLDER/empty.csv"], "--dma: "],
    ["import", ["FOLDER/a.osm.pbf", "--postal-codes", "FOLDER/notes.txt"], "--postal-codes: "],
  ])("%s %j", async (script, words, sentence) => {
    const { code, output } = await run(WORKS[script] ?? script, words);
    expect(output).toContain(sentence);
    expect(code).toBe(1);
  });
});

it("a sentence of the process that does an import's work is shown once, with its code", async () => {
  const { code, output } = await run("import", ["FOLDER/absent.osm.pbf", "--dry-run"], true);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^[^\n]*absent\.osm\.pbf: there is no such file\.[^\n]*\n$/),
  ]);
});

it("an operator raises limits, sees them, and takes them back", async () => {
  const limits = async (...words: string[]) => {
    const { code, output } = await run("project", ["limits", "1", ...words, ...STATE, "--json"]);
    expect(code).toBe(0);
    const all: { endpoint: string; rate: number; own: boolean }[] = JSON.parse(output).limits;
    return all.filter(({ own }) => own).map(({ endpoint, rate }) => `${endpoint}=${rate}`);
  };
  expect(await limits()).toEqual([]);
  expect(await limits("track=50", "matrix=5")).toEqual(["matrix=5", "track=50"]);
  expect(await limits("matrix=default", "context=7")).toEqual(["context=7", "track=50"]);
  const { output } = await run("project", ["limits", "1", ...STATE]);
  expect(output).toMatch(/track +50\/s +custom/);
  expect(output).toMatch(/matrix +20\/s +default/);
});
