// biome-ignore-all lint/suspicious/noExplicitAny: the WebAssembly module has no types of its own
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../../src/server/base/wrangler.ts";

const FOLDER = join(ROOT, "node_modules/@stadiamaps/ferrostar");

let loaded: Promise<any> | undefined;

/** Ferrostar's core, once: its objects belong to one memory. */
export function loadFerrostar(): Promise<any> {
  loaded ??= load();
  return loaded;
}

/** Its package is meant for bundlers: Node.js loads its WebAssembly by hand. */
async function load(): Promise<any> {
  const glue = (await import(join(FOLDER, "ferrostar_bg.js"))) as any;
  const bytes = readFileSync(join(FOLDER, "ferrostar_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./ferrostar_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports as any).__wbindgen_start();
  return glue;
}

/** A position as a phone reports it, of the form of another one. */
export const fix = (form: any, [lng, lat]: readonly [number, number]) => ({ ...form, coordinates: { lat, lng } });
