import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runTerminal } from "../../../src/client/terminal/terminal.ts";
import { makeWorld, type World, withGeodata } from "../../support/world.ts";

/** The command `graticule` against a server. */

let world: World;
let folder: string;
beforeAll(async () => {
  [world] = await Promise.all([makeWorld({ geodata: true }), withGeodata("demo")]);
  folder = mkdtempSync(join(tmpdir(), "graticule-terminal-"));
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command. @returns its exit code and what it prints */
async function terminal(
  args: string[],
  environment: Record<string, string> = {},
  signal = new AbortController().signal,
) {
  const printed = { out: "", error: "" };
  const code = await runTerminal(args, {
    environment: { GRATICULE_HOST: inject("baseUrl"), GRATICULE_KEY: world.keys.testSecret, ...environment },
    print: (text) => (printed.out += text),
    printError: (text) => (printed.error += text),
    width: 100,
    signal,
  });
  return { code, ...printed };
}

const HERE = "48.99,-111.2";

describe("graticule", () => {
  it("prints addresses, and coordinates' addresses, as a table or JSON", async () => {
    const table = await terminal(["geocode", HERE]);
    expect(table).toMatchObject({ code: 0, error: "" });
    expect(table.out).toMatch(/^ADDRESS +KIND +CONFIDENCE +COORDINATES\n.+/);
    const [address] = JSON.parse((await terminal(["geocode", HERE, "--json"])).out);
    const found = await terminal(["geocode", address.formattedAddress, "--json", "--limit", "1"]);
    expect(JSON.parse(found.out)).toHaveLength(1);
  });

  it("prints a route with its steps, and negative coordinates are no options", async () => {
    const { code, out } = await terminal(["route", HERE, "48.985,-111.19", "--mode", "bike"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^48\.99,-111\.2 → 48\.985,-111\.19: [\d.]+ (m|km), \d+ min/);
    expect(out).toContain("STEP");
    const negative = await terminal(["geocode", "-48.99,111.2"]);
    expect(negative).toMatchObject({ code: 0, error: "" });
  });

  it("writes an isochrone as GeoJSON", async () => {
    const file = join(folder, "area.geojson");
    expect(await terminal(["isochrone", HERE, "--minutes", "3", "-o", file])).toMatchObject({
      code: 0,
      out: `1 areas are in ${file}.\n`,
    });
    expect(JSON.parse(readFileSync(file, "utf8")).type).toBe("FeatureCollection");
  });

  it("pushes geofences and pulls them, says what failed, and changes nothing in a dry run", async () => {
    const feature = (externalId: string, radius: number) => ({
      type: "Feature",
      properties: { tag: "shop", externalId, description: externalId, type: "circle", radius },
      geometry: { type: "Point", coordinates: [-111.2, 48.99] },
    });
    const file = join(folder, "fences.geojson");
    const write = (...features: object[]) =>
      writeFileSync(file, JSON.stringify({ type: "FeatureCollection", features }));
    write(feature("a", 100));
    expect((await terminal(["fences", "push", file, "--dry-run"])).out).toBe(
      "Would import 1 of 1 rows: 1 created, 0 updated, 0 unchanged.\n",
    );
    expect((await terminal(["fences", "push", file])).out).toBe(
      "Imported 1 of 1 rows: 1 created, 0 updated, 0 unchanged.\n",
    );
    write(feature("b", 100), feature("c", -1));
    const failed = await terminal(["fences", "push", file]);
    expect([failed.code, failed.error]).toEqual([1, "1 of 2 rows failed; the others are imported.\n"]);
    expect(failed.out).toMatch(/^Imported 1 of 2 rows: 1 created.*\nROW +PROBLEM/);
    const pulled = JSON.parse((await terminal(["fences", "pull", "--tag", "shop"])).out);
    expect(pulled.features).toHaveLength(2);
  });

  it("tracks a device and lists events, users and trips", async () => {
    const tracked = await terminal(["track", "phone", HERE, "--user", "ann"]);
    expect(tracked).toMatchObject({ code: 0, error: "" });
    expect(tracked.out).toContain("user.entered_geofence");
    await expect.poll(async () => (await terminal(["users"])).out, { timeout: 20_000 }).toMatch(/ann +phone/);
    await expect
      .poll(async () => (await terminal(["events", "list", "--user", "ann"])).out, { timeout: 20_000 })
      .toContain("user.entered_geofence");
    expect(await terminal(["trips"])).toMatchObject({ code: 0, out: "No trips.\n" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 500);
    const tail = await terminal(["events", "tail"], {}, controller.signal);
    expect(tail.out).toBe("Waiting for events; Ctrl+C ends.\n");
  });

  it.each<[args: string[], environment: Record<string, string>, code: number, error: RegExp]>([
    [["geocode"], {}, 2, /^An address is missing\. Usage: graticule geocode/],
    [["users", "a", "b"], {}, 2, /^Too many arguments: b\./],
    [["fences", "push"], {}, 2, /^The file is missing\./],
    [["fences", "push", "/nowhere.csv"], {}, 1, /^There is no file \/nowhere\.csv\.$/m],
    [["route", HERE, HERE, "--mode", "ski"], {}, 2, /^--mode must be one of car/],
    [["users"], { GRATICULE_KEY: "prj_test_sk_wrong" }, 1, /\(request [\w-]+\)\n$/],
    [["users"], { GRATICULE_KEY: "" }, 2, /^Set an API key/],
    [["users"], { GRATICULE_HOST: "maps" }, 2, /^The host must be a URL/],
    [["fly"], {}, 2, /^Unknown command "fly"/],
  ])("%j with %j ends with one sentence", async (args, environment, code, error) => {
    const ended = await terminal(args, environment);
    expect([ended.code, ended.out]).toEqual([code, ""]);
    expect(ended.error).toMatch(error);
    expect(ended.error.trimEnd().split("\n")).toHaveLength(1);
  });

  it("prints help, and completion that a shell reads", async () => {
    expect((await terminal(["jobs", "--help"])).out).toContain("--output, -o");
    const { out } = await terminal(["completion", "bash"]);
    const script = `${out}\nCOMP_WORDS=(graticule fences pu); COMP_CWORD=2; _graticule; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe("push pull\n");
    for (const shell of ["zsh", "fish"]) expect((await terminal(["completion", shell])).out).toContain("isochrone");
  });
});
