import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { narrowText } from "./narrow-text.ts";

const require = createRequire(import.meta.url);

/** Parts of Node's loader that its types leave out. */
type Loader = Module & { paths: string[]; _compile(text: string, path: string): void };
const { _nodeModulePaths: foldersFor } = Module as unknown as { _nodeModulePaths(from: string): string[] };

/** Miniflare, whose script of 6 MB `import` keeps three times: 29 MB in all. Loaded like this, it takes 6. */
export const { CoreHeaders, convertV4MiniflareOptions, Log, LogLevel, Miniflare } = load("miniflare");

function load(name: string): typeof import("miniflare") {
  const path = require.resolve(name);
  const known = require.cache[path];
  if (known) return known.exports;
  const loaded = new Module(path) as Loader;
  loaded.filename = path;
  loaded.paths = foldersFor(dirname(path));
  require.cache[path] = loaded;
  loaded._compile(narrowText(readFileSync(path, "utf8")).toString("latin1"), path);
  loaded.loaded = true;
  return loaded.exports;
}
