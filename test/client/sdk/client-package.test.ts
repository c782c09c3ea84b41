import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { typeErrors } from "../../support/generated-clients.ts";
import { get, makeWorld, type World, withGeodata } from "../../support/world.ts";

/** `npm run client`: the package in a fresh folder, without network, as a library and as a command. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "graticule-package-"));
let world: World;

const PROGRAM = `
import { Graticule, GraticuleError } from "graticule-client";

const [host, key] = process.argv.slice(2) as [string, string];
const graticule = new Graticule({ host, key });
for (const userId of ["ann", "bea", "cem"])
  await graticule.track({ deviceId: \`phone-of-\${userId}\`, userId, latitude: 48.99, longitude: -111.2, accuracy: 5 });
const users: (string | undefined)[] = [];
for await (const user of graticule.pages("listUsers", { limit: 1 })) users.push(user.userId);
const { routes } = await graticule.directions({ locations: "48.985,-111.23|49.015,-111.17", units: "metric" });
const image = await graticule.staticMap({ center: "48.99,-111.2", zoom: 12, width: 100, height: 100 });
const wrong = await graticule.searchUsers({ near: "north" }).catch((error: unknown) => error);
console.log(
  JSON.stringify({
    users: users.sort(),
    metres: routes[0]?.distance.value,
    image: image.headers.get("content-type"),
    wrong: wrong instanceof GraticuleError && [wrong.status, wrong.param],
  }),
);
`;

/** Uses that do not fit the document, a line each. */
const MISTAKES = `
import { Graticule } from "graticule-client";
const graticule = new Graticule({ host: "x" });
export const a = graticule.track({ deviceId: "a", latitude: "north", longitude: 1, accuracy: 5 });
export const b = graticule.reverseGeocode();
export const c = graticule.directions({ locations: "1,2|3,4" }).then(({ rutes }) => rutes);
export const d = graticule.listShops();
`;

const command = async (...args: string[]) => {
  const env = { ...process.env, GRATICULE_HOST: inject("baseUrl"), GRATICULE_KEY: world.keys.testSecret };
  const bin = join(folder, "node_modules/.bin/graticule");
  return run(process.execPath, [bin, ...args], { env, cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  );
};

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ geodata: true });
  const { stdout } = await run(process.execPath, ["--no-warnings", "src/server/client.ts"], { cwd: ROOT });
  const [, file] = /The package is (\S+\.tgz);/.exec(stdout) ?? [];
  writeFileSync(join(folder, "package.json"), '{"type": "module", "private": true}');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(ROOT, file)], { cwd: folder });
  symlinkSync(join(ROOT, "node_modules/@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "mistakes.ts"), MISTAKES);
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package", () => {
  it("has no dependencies, and at most 15 KB of library, gzipped", () => {
    const read = (path: string) => readFileSync(join(folder, "node_modules/graticule-client", path));
    const { dependencies, exports } = JSON.parse(String(read("package.json")));
    expect([dependencies, exports["."].default]).toEqual([undefined, "./client/index.js"]);
    const names = ["client", "error", "index", "operations", "text", "token", "webhook"];
    const library = Buffer.concat(names.map((name) => read(`client/${name}.js`)));
    expect(String(library)).not.toContain("node:");
    expect(gzipSync(library).length).toBeLessThan(15 * 1024);
  });

  it("has the server's types, which find mistakes before anything runs", async () => {
    const reported = await typeErrors(folder, ["program.ts", "mistakes.ts"]);
    expect([...reported.matchAll(/(\w+)\.ts\((\d+)/g)].map(([, file, line]) => `${file} ${line}`).sort()).toEqual(
      [4, 5, 6, 7].map((line) => `mistakes ${line}`),
    );
  });

  it("tracks, lists page by page, routes, draws, and returns errors", async () => {
    const args = ["--no-warnings", "program.ts", inject("baseUrl"), world.keys.testSecret];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    const path = "/v1/route/directions?locations=48.985,-111.23|49.015,-111.17&units=metric";
    const { body } = await get(path, world.keys.testSecret);
    expect(JSON.parse(stdout)).toEqual({
      users: ["ann", "bea", "cem"],
      metres: body.routes[0].distance.value,
      image: "image/png",
      wrong: [400, "near"],
    });
  });
});

describe("the command", () => {
  it("geocodes and routes between names, as tables and as JSON", async () => {
    const table = await command("geocode", "Ptolemy General Hospital");
    expect([table.code, table.stdout]).toEqual([0, expect.stringMatching(/^ADDRESS +KIND +CONFIDENCE +COORDINATES\n/)]);
    const json = await command("geocode", "48.99,-111.2", "--json", "--limit", "1");
    expect(JSON.parse(json.stdout)[0].addressLabel).toBe("1554 Bobolink Place");
    const route = await command("route", "Meridale Central Station", "49.015,-111.17", "--mode", "bike");
    expect([route.code, route.stdout.split("\n")[0]]).toEqual([
      0,
      expect.stringMatching(/ → 49\.015,-111\.17: .* km, /),
    ]);
    expect((await command("isochrone", "48.99,-111.2", "--minutes", "5")).stdout).toMatch(/^MINUTES +KM²\n5 /);
  });

  it("tracks, pushes geofences and pulls them again", async () => {
    const file = join(folder, "fences.geojson");
    const properties = { tag: "pushed", externalId: "1", description: "Pushed", radius: 100 };
    const geometry = { type: "Point", coordinates: [-111.2, 48.99] };
    const features = [{ type: "Feature", properties, geometry }];
    writeFileSync(file, JSON.stringify({ type: "FeatureCollection", features }));
    expect((await command("fences", "push", file)).stdout).toBe(
      "Imported 1 of 1 rows: 1 created, 0 updated, 0 unchanged.\n",
    );
    expect((await command("fences", "push", file)).stdout).toBe(
      "Imported 1 of 1 rows: 0 created, 0 updated, 1 unchanged.\n",
    );
    const pulled = JSON.parse((await command("fences", "pull", "--tag", "pushed")).stdout);
    expect(pulled.features.length).toBe(1);
    const tracked = await command("track", "phone", "48.99,-111.2", "--user", "dan");
    expect(tracked.stdout).toMatch(/user\.entered_geofence +Pushed/);
    expect((await command("users", "dan")).stdout).toMatch(/^USER +DEVICE .*\ndan +phone +48\.99,-111\.2/);
    expect((await command("events", "list", "--user", "dan")).stdout).toContain("user.entered_geofence");
    expect((await command("trips")).stdout).toBe("No trips.\n");
  });

  it("prints errors as one sentence with the request id, and mistakes with the usage", async () => {
    const unknown = await command("users", "--key", `prj_test_sk_${"0".repeat(40)}`);
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
      1,
      "",
      expect.stringMatching(/^Unauthorized\. The API key is unknown or has been revoked\. \(request \S+\)\n$/),
    ]);
    const cases: [string[], string][] = [
      [["route", "Meridale"], "The destination is missing. Usage: graticule route"],
      [["geocode", "a", "--limit", "x"], '--limit must be a number, not "x".'],
      [["users", "--what"], "Unknown option '--what'"],
      [["shops"], 'Unknown command "shops".'],
      [["users", "--host", "nowhere"], "The host must be a URL"],
    ];
    for (const [args, said] of cases) {
      const { code, stderr } = await command(...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(said)]);
    }
    expect((await command("fences", "push", "nothing.json")).stderr).toMatch(/^There is no file /);
  });

  it("completes commands, parts and options in bash", async () => {
    const script = join(folder, "completion.bash");
    writeFileSync(script, (await command("completion", "bash")).stdout);
    const complete = async (...words: string[]) => {
      const ask = `source ${script}; COMP_WORDS=(graticule ${words.join(" ")}); COMP_CWORD=${words.length}; _graticule; echo "\${COMPREPLY[*]}"`;
      return (await run("bash", ["-c", ask], { cwd: folder })).stdout.trim();
    };
    expect(await complete("ge")).toBe("geocode");
    expect(await complete("events", "t")).toBe("tail");
    expect(await complete("route", "--m")).toBe("--mode");
    for (const shell of ["zsh", "fish"]) expect((await command("completion", shell)).stdout).toContain("isochrone");
    expect((await command("completion", "tcsh")).code).toBe(2);
  });
});
