import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CommandError, readArguments, runCommand } from "./base/command.ts";
import { ROOT } from "./base/wrangler.ts";

const USAGE = "npm run client";

const HELP = `${USAGE}

Builds the package graticule-client from src/client into dist/client, and packs it: dist/graticule-client-VERSION.tgz.
First writes src/client/api.d.ts and operations.ts, which follow from the endpoints (npm run generate).

  --help  show this help`;

const FOLDER = join(ROOT, "dist/client");
/** Entries of the package: the library and the command. */
const ENTRIES = ["src/client/index.ts", "src/client/terminal/main.ts"];

const COMPILER_OPTIONS = [
  ...["--ignoreConfig", "--strict", "--skipLibCheck", "--declaration", "--rootDir", "src", "--outDir", FOLDER],
  ...["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2024,dom,dom.iterable"],
  ...["--types", "node", "--allowImportingTsExtensions", "--rewriteRelativeImportExtensions", "--verbatimModuleSyntax"],
];

function buildPackage(): string {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...COMPILER_OPTIONS, ...ENTRIES], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) throw new CommandError(`The client does not compile.\n${stdout}`);
  copyFileSync(join(ROOT, "src/client/api.d.ts"), join(FOLDER, "client/api.d.ts"));
  for (const path of filesBelow(FOLDER)) if (path.endsWith(".d.ts")) writeFileSync(path, asJavaScriptImports(path));
  const { version, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, string>;
  writeFileSync(
    join(FOLDER, "package.json"),
    JSON.stringify(
      {
        name: "graticule-client",
        version,
        description: "Typed client and terminal command of Graticule, the open location platform.",
        license,
        type: "module",
        engines: { node: ">=20" },
        exports: { ".": { types: "./client/index.d.ts", default: "./client/index.js" } },
        bin: { graticule: "./client/terminal/main.js" },
      },
      null,
      2,
    ),
  );
  copyFileSync(join(ROOT, "LICENSE"), join(FOLDER, "LICENSE"));
  copyFileSync(join(ROOT, "src/client/README.md"), join(FOLDER, "README.md"));
  return version;
}

/** The compiler leaves the names of source files in declarations; users have only JavaScript and declarations. */
function asJavaScriptImports(path: string): string {
  return readFileSync(path, "utf8").replace(/(from "\.{1,2}\/[^"]+?)(?:\.d)?\.ts"/g, '$1.js"');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The library as an app loads it, compressed [bytes]. */
function librarySize(): number {
  const files = filesBelow(join(FOLDER, "client")).filter((path) => path.endsWith(".js"));
  return gzipSync(Buffer.concat(files.map((path) => readFileSync(path)))).length;
}

async function main(): Promise<void> {
  const { values } = readArguments({ options: { help: { type: "boolean", default: false } } });
  if (values.help) return console.log(HELP);
  const version = buildPackage();
  execFileSync("npm", ["pack", "--silent", "--pack-destination", join(ROOT, "dist")], { cwd: FOLDER });
  const size = (librarySize() / 1024).toFixed(1);
  console.log(`The package is dist/graticule-client-${version}.tgz; the library has ${size} KB, gzipped.`);
}

await runCommand(main, USAGE);
