import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ROOT } from "../../../../src/server/base/wrangler.ts";
import { guideFile } from "../../../../src/server/docs/build-docs.ts";
import { fences } from "../../../../src/server/docs/guide.ts";
import { typesOf } from "../../../../src/server/make/client-files.ts";
import { typeErrors } from "../../../support/generated-clients.ts";
import { makeWorld, withGeodata } from "../../../support/world.ts";

/** The guide on generated clients, followed step by step: types from /openapi.json, a program with them, what it prints. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "graticule-client-"));
let program: string;

const check = (...files: string[]) => typeErrors(folder, files);

beforeAll(async () => {
  await withGeodata("demo");
  const { keys } = await makeWorld({ geodata: true });
  const baseUrl = inject("baseUrl");
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "graticule.ts"), await typesOf(document));
  const guide = fences(readFileSync(guideFile("clients"), "utf8"));
  program = guide.find(({ info }) => info === "ts")?.text ?? "";
  writeFileSync(
    join(folder, "program.ts"),
    program.replace("$HOST", baseUrl).replace("$SECRET", keys.testSecret).replace('"./graticule"', '"./graticule.ts"'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the program of the guide has the types of this server, and prints what is nearby", async () => {
  expect(await check("program.ts", "graticule.ts")).toBe("");
  const { stdout } = await run(process.execPath, ["--no-warnings", join(folder, "program.ts")]);
  expect(stdout.trim().split("\n").length).toBeGreaterThan(2);
});

it("an endpoint that is not there, a parameter left out, a field misspelt: each is found before anything runs", async () => {
  mkdirSync(folder, { recursive: true });
  const begin = program.slice(0, program.indexOf("const {")).replace("./graticule", "./graticule.ts");
  const wrong = [
    'graticule.GET("/v1/search/shops");',
    'graticule.GET("/v1/context");',
    'graticule.POST("/v1/track", { body: { deviceId: "a", latitude: "north", longitude: 1, accuracy: 5 } });',
    'graticule.GET("/v1/context", { params: { query: { coordinates: "1,2" } } }).then(({ data }) => data?.context.contry);',
  ];
  writeFileSync(join(folder, "wrong.ts"), `${begin}\n${wrong.join("\n")}\n`);
  const said = await check("wrong.ts", "graticule.ts");
  const first = begin.split("\n").length + 1;
  expect([...said.matchAll(/wrong\.ts\((\d+)/g)].map(([, line]) => Number(line) - first).sort()).toEqual([0, 1, 2, 3]);
});
