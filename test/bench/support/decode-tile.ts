import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { encodeNames, type NewEntry } from "../../../src/core/geocoding/index/names-tile.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";
import type { Report } from "../bench.ts";
import { buildWorker, startBuilt } from "../worker.ts";
import { percentile } from "./percentile.ts";
import { residentBytes } from "./process-cpu.ts";

/** The largest a tile of names is meant to be [bytes]. */
const TILE = 48 * 1024;
const TIMES = 100;
const KEPT = 400;

/** Reading a tile of names in workerd: what the first question about a town costs there, and what is kept of it. */
export async function decodeInWorker(report: Report): Promise<void> {
  const tile = largestTile();
  const built = await buildWorker(join(import.meta.dirname, "decode.toml"));
  const state = mkdtempSync(join(tmpdir(), "graticule-decode-"));
  const worker = await startBuilt(built, state);
  try {
    const ask = async (times: number, keep = "") => {
      const began = performance.now();
      const response = await fetch(`${worker.url}/?times=${times}${keep}`, { method: "POST", body: tile as BodyInit });
      const answer = (await response.json()) as { entries: number };
      return { ms: performance.now() - began, entries: answer.entries };
    };
    const { entries } = await ask(TIMES);
    const times: number[] = [];
    for (let i = 0; i < 30; i++) times.push(((await ask(TIMES)).ms - (await ask(0)).ms) / TIMES);
    const before = residentBytes(worker.pid);
    await ask(KEPT, "&keep");
    const held = (residentBytes(worker.pid) - before) / KEPT;
    const label = `workerd: decode ${Math.round(tile.length / 1000)} kB, ${entries} entries`;
    report({ case: label, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
    report({ case: label, metric: "p90", value: percentile(times, 0.9), unit: "ms" });
    report({ case: label, metric: "memory", value: held / 1000, unit: "kB" });
    report({ case: label, metric: "memory, of raw", value: held / tile.length, unit: "×" });
  } finally {
    await worker.stop();
    built.discard();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Streets of one town, as many as a tile may hold. */
function largestTile(): Uint8Array {
  const draw = randomFrom(17);
  const context = { ...NO_CONTEXT, city: "Springfield", stateCode: "IL", state: "Illinois", countryCode: "US" };
  const syllables = "bar ber dal den fair field ford green ham hill lake land mont oak port ridge rock ton wood".split(
    " ",
  );
  const word = () => Array.from({ length: 3 }, () => syllables[Math.floor(draw() * syllables.length)]).join("");
  const entries: NewEntry[] = [];
  const bytes = () => encodeNames(entries, new Array(entries.length).fill(40));
  while (bytes().length < TILE) {
    for (let i = 0; i < 100; i++) {
      entries.push({
        kind: "street",
        name: `${word()} ${["Street", "Avenue", "Road", "Lane"][Math.floor(draw() * 4)]}`,
        context,
        postalCode: `${62701 + Math.floor(draw() * 8)}`,
        latitude: 39.8 + draw() / 10,
        longitude: -89.65 + draw() / 10,
        importance: 40,
      });
    }
  }
  return bytes();
}
