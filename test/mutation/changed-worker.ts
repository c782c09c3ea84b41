import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../src/server/start/worker-bundle.ts";
import { CONTROL_PATH } from "./control-path.ts";
import { MAX_FUNCTIONS, markedText } from "./reach.ts";
import { filesBelow } from "./rooms.ts";
import { type Mutant, switchedText } from "./switched.ts";

const NOT_OF_THE_WORKER = /^src\/(server|importer|dashboard|demo)\//;
const ENTRY = "changed-index";
const FIRST_MUTANT = "/* the mutant from the start */ 0";

/** Sources of the Worker, changed, are compiled in a copy: nothing is written into the tree. @returns the folder of the bundle */
export async function bundleChangedWorker(root: string, mutants: readonly Mutant[] | undefined): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "graticule-mutation-copy-"));
  const bundle = mkdtempSync(join(tmpdir(), "graticule-mutation-bundle-"));
  try {
    for (const name of ["src", "package.json"]) cpSync(join(root, name), join(copy, name), { recursive: true });
    for (const name of ["node_modules", "docs", "migrations", "CHANGELOG.md"])
      symlinkSync(join(root, name), join(copy, name));
    mkdirSync(join(copy, "dist/dashboard"), { recursive: true });
    const config = readFileSync(join(root, "wrangler.toml"), "utf8");
    writeFileSync(join(copy, "wrangler.toml"), config.replace(/^main = .*$/m, `main = "${ENTRY}.ts"`));
    writeFileSync(join(copy, `${ENTRY}.ts`), ENTRY_TEXT);
    const sources = filesBelow(root, "src");
    writeChanged(copy, sources, mutants);
    await bundleWorker(join(copy, "wrangler.toml"), bundle);
    const script = join(bundle, `${ENTRY}.js`);
    writeFileSync(script, prelude(sources.length * MAX_FUNCTIONS) + readFileSync(script, "utf8"));
    return bundle;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function writeChanged(copy: string, sources: readonly string[], mutants: readonly Mutant[] | undefined): void {
  const byFile = Map.groupBy(mutants ?? [], ({ file }) => file);
  sources.forEach((file, index) => {
    if (NOT_OF_THE_WORKER.test(file)) return;
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const own = byFile.get(file);
    if (own) writeFileSync(path, switchedText(text, own));
    else if (!mutants) writeFileSync(path, markedText(file, text, index * MAX_FUNCTIONS));
  });
}

/** A copy of a bundle whose mutant is on before the first module runs. */
export function bundleFrom(bundle: string, mutant: number): string {
  const folder = mkdtempSync(join(tmpdir(), "graticule-mutation-bundle-"));
  cpSync(bundle, folder, { recursive: true });
  const script = join(folder, `${ENTRY}.js`);
  writeFileSync(script, readFileSync(script, "utf8").replace(FIRST_MUTANT, String(mutant)));
  return folder;
}

const MAIN = "./src/worker/index.ts";
const ENTRY_TEXT = `import worker from "${MAIN}";
export * from "${MAIN}";
export default {
  ...worker,
  fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "${CONTROL_PATH}") return worker.fetch(request, env, context);
    return Response.json(globalThis.$mutation(Number(searchParams.get("mutant"))));
  },
};
`;

const prelude = (marks: number) => `const $reached = new Uint8Array(${marks});
let $on = ${FIRST_MUTANT}, $hits = 0;
const $mutant = (id) => {
  if (id !== $on) return false;
  if (++$hits > 200_000_000) throw new Error("An endless loop.");
  return true;
};
globalThis.$mutation = (mutant) => {
  $on = mutant;
  $hits = 0;
  const reached = [...$reached.keys()].filter((index) => $reached[index] === 1);
  $reached.fill(0);
  return reached;
};
`;
