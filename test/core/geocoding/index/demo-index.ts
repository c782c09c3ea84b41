import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepDecoded, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { LAYERS, type SearchOptions, search } from "../../../../src/core/geocoding/search/search.ts";
import { writeDemoWorld } from "../../../../src/demo/world/write.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { worldAddresses } from "../../../../src/importer/layers/addresses/world-addresses.ts";
import { keptLayer, keptOnce } from "../../../support/worlds/kept-layers.ts";
import { runLayer } from "../../regions/extract-harness.ts";

export interface Built {
  index: AddressIndex;
  objects: Map<string, Uint8Array>;
  counts: Record<string, number>;
}

/** What the layer makes of extracts or OpenAddresses files, in memory. */
export async function buildAddresses(extracts: readonly string[], addresses: readonly string[] = []): Promise<Built> {
  const { objects, counts } = await runLayer(addressesLayer, extracts, { addresses });
  return indexed(objects, counts);
}

const indexed = (objects: Built["objects"], counts: Built["counts"]): Built => ({
  objects,
  counts,
  index: new AddressIndex(keepDecoded(memorySource(objects))),
});

let demo: Promise<Built> | undefined;
let world: Promise<Built> | undefined;

/** The demo world of one township. */
export function demoAddresses(): Promise<Built> {
  demo ??= (async () => {
    const { objects, counts } = await keptOnce("demo-addresses", async () => {
      const { objects, counts } = await buildDemo();
      return { objects, counts };
    });
    return indexed(objects, counts);
  })();
  return demo;
}

export async function buildDemo(): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "graticule-demo-"));
  try {
    await writeDemoWorld(join(folder, "demo.osm.pbf"), { size: 1 });
    return await buildAddresses([join(folder, "demo.osm.pbf")]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The world base: countries, states, counties and cities. */
export function worldBase(): Promise<Built> {
  world ??= (async () => {
    const { objects, counts } = await keptLayer(worldAddresses);
    return indexed(objects, counts);
  })();
  return world;
}

export const FORWARD: SearchOptions = {
  layers: new Set(LAYERS.filter((layer) => layer !== "place")),
  limit: 10,
  language: "en",
  open: false,
};
export const TYPING: SearchOptions = { ...FORWARD, layers: new Set(LAYERS), open: true };

/** Forward geocoding in one index. */
export function forward({ index }: Built, text: string, options: Partial<SearchOptions> = {}) {
  return search([index], text, { ...FORWARD, ...options });
}

/** Autocomplete in one index. */
export function typing({ index }: Built, text: string, options: Partial<SearchOptions> = {}) {
  return search([index], text, { ...TYPING, ...options });
}
