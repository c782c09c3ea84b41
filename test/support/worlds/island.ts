import { createHash } from "node:crypto";
import type { ObjectList } from "../../../src/core/geo/builds/manifest.ts";
import { control } from "../world.ts";

/**
 * A build in the bucket, of an island with one empty layer and one object ("x"); with `objects` as the list of what it should hold.
 * It is live once it is activated.
 */
export async function putIsland(id: string, name: string, objects?: ObjectList): Promise<void> {
  const layer = { formatVersion: 1, areas: [], objects: 0, bytes: 1234, counts: {} };
  const bounds = [-30, -60, -29, -59];
  const list = JSON.stringify(objects ?? {});
  const manifest = {
    version: 1,
    id,
    name,
    bounds,
    layers: { places: layer },
    objectsSha256: createHash("sha256").update(list).digest("hex"),
    inputs: [{ name: "island.osm.pbf", bytes: 99, sha256: "", bounds, timestamp: "2026-11-01T00:00:00Z" }],
    sources: [{ name: "OSM", url: "https://example.com", licence: "ODbL-1.0", attribution: "© OSM" }],
  };
  await control("putObject", { key: `builds/${id}/places/a`, text: "x" });
  if (objects) await control("putObject", { key: `builds/${id}/objects.json`, text: list });
  await control("putObject", { key: `builds/${id}/manifest.json`, text: JSON.stringify(manifest) });
}
