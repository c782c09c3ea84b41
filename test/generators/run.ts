import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { typesOf } from "../../src/server/make/client-files.ts";
import { typeErrors, writeClient } from "../support/generated-clients.ts";

/**
 * Runs the generators that customers use on an OpenAPI document, and compiles what they write: openapi-typescript, hey-api,
 * openapi-python-client, and openapi-generator for Go. A generator that this machine does not have is reported as missing.
 *
 *   node test/generators/run.ts openapi.json
 */

const run = promisify(execFile);
const [file] = process.argv.slice(2);
if (!file) throw new Error("Specify the OpenAPI document: node test/generators/run.ts openapi.json");
const document = JSON.parse(readFileSync(file, "utf8")) as object;
const folder = mkdtempSync(join(tmpdir(), "graticule-generators-"));
const path = join(folder, "openapi.json");
writeFileSync(path, JSON.stringify(document));

class Missing extends Error {}

/** Runs a program. @throws Missing if it is not installed */
async function command(name: string, args: string[], options: { cwd?: string } = {}): Promise<void> {
  try {
    await run(name, args, { maxBuffer: 1e8, ...options });
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: string | number; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw new Missing(`${name} is not installed`);
    throw new Error(`${name} ${args[0]}: ${`${stdout}${stderr}`.slice(-2000)}`);
  }
}

const GENERATORS: Record<string, () => Promise<void>> = {
  async "openapi-typescript"() {
    writeFileSync(join(folder, "types.ts"), await typesOf(document));
    fail(await typeErrors(folder, ["types.ts"]));
  },
  async "hey-api"() {
    await writeClient(document, join(folder, "hey"));
    fail(await typeErrors(folder, ["hey/index.ts", "hey/sdk.gen.ts"]));
  },
  async "openapi-python-client"() {
    const target = join(folder, "python");
    await command("openapi-python-client", ["generate", "--path", path, "--output-path", target, "--meta", "none"]);
    await command("python3", ["-m", "compileall", "-q", target]);
  },
  async "openapi-generator (Go)"() {
    const target = join(folder, "go");
    await command("java", ["-version"]);
    await command("go", ["version"]);
    const args = ["generate", "-i", path, "-g", "go", "-o", target, "--package-name", "graticule"];
    await command("openapi-generator-cli", args);
    await command("go", ["build", "./..."], { cwd: target });
  },
};

function fail(text: string): void {
  if (text !== "") throw new Error(text.slice(0, 2000));
}

let failed = 0;
for (const [name, generate] of Object.entries(GENERATORS)) {
  try {
    await generate();
    console.log(`${name}: ok`);
  } catch (error) {
    if (error instanceof Missing) console.log(`${name}: not run, ${error.message}`);
    else {
      failed++;
      console.log(`${name}: FAILED\n${(error as Error).message}`);
    }
  }
}
rmSync(folder, { recursive: true });
process.exitCode = failed > 0 ? 1 : 0;
