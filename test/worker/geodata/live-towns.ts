import { createHash } from "node:crypto";
import { changeLiveBuilds, type LiveListStore, switchedTo } from "../../../src/core/geo/builds/live-list.ts";
import { type Bounds, LIVE_KEY, type Manifest, WORLD } from "../../../src/core/geo/builds/manifest.ts";
import { SEAL, seal } from "../../../src/core/geo/builds/sealed.ts";
import { encodeTile, POINT, type TileFeature } from "../../../src/core/maps/tiles/mvt.ts";
import { tileId } from "../../../src/core/maps/tiles/tile-id.ts";
import { PlacePacker } from "../../../src/core/places/pack.ts";
import { placeKey } from "../../../src/core/places/place.ts";
import { BASEMAP_KEY } from "../../../src/worker/geodata/build-ground.ts";
import { type TownBuild, townBuilds } from "../../core/geocoding/index/many-builds.ts";
import { WholeArchive } from "../../core/maps/tiles/whole-archive.ts";
import { FakeBucket } from "./fake-bucket.ts";

/** The list of live builds in a bucket of a test, as the importer and the dashboard keep it in theirs. */
export function listIn(bucket: FakeBucket): LiveListStore {
  const etag = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
  return {
    async read() {
      const bytes = bucket.objects.get(LIVE_KEY);
      return bytes && { text: new TextDecoder().decode(bytes), etag: etag(bytes) };
    },
    async write(text) {
      bucket.put(LIVE_KEY, text);
      return true;
    },
    async readBeginning(key, most) {
      bucket.asked.push(key);
      return bucket.objects.get(key)?.slice(0, most);
    },
    async writePage(key, bytes) {
      bucket.put(key, bytes);
    },
    async deletePages(keys) {
      for (const key of keys) bucket.objects.delete(key);
    },
  };
}

export interface LiveTown extends TownBuild {
  id: string;
  manifest: Manifest;
}

/** Towns of the US, each an import of its own that is live, with addresses, places and a map; and a bucket with all of them. */
export async function liveTowns(count: number, streets = 30): Promise<{ bucket: FakeBucket; towns: LiveTown[] }> {
  const bucket = new FakeBucket();
  const towns: LiveTown[] = [];
  for (const [i, built] of townBuilds(count, streets).entries()) {
    const id = createHash("sha256").update(`${i}`).digest("hex").slice(0, 16);
    for (const [key, bytes] of built.objects) bucket.put(`builds/${id}/${key}`, seal(bytes));
    for (const [key, bytes] of placesOf(built, i)) bucket.put(`builds/${id}/${key}`, seal(bytes));
    bucket.put(`builds/${id}/${BASEMAP_KEY}`, await mapOf(built));
    towns.push({ ...built, id, manifest: manifestOf(built, i, id) });
  }
  await changeLiveBuilds(listIn(bucket), () =>
    towns.reduce((builds, { manifest }) => switchedTo(builds, manifest, 0), switchedTo([], WORLD_BUILD, 0)),
  );
  bucket.asked.length = 0;
  return { bucket, towns };
}

const box = ({ latitude, longitude }: { latitude: number; longitude: number }): Bounds => [
  longitude - 0.02,
  latitude - 0.02,
  longitude + 0.02,
  latitude + 0.02,
];

function manifestOf({ town, name }: TownBuild, i: number, id: string): Manifest {
  const layer = { formatVersion: 3, objects: 1, bytes: 1, counts: {} };
  return {
    version: 1,
    id,
    name: `town-${i}`,
    bounds: box(town),
    inputs: [],
    objectsSha256: "",
    checksum: SEAL,
    sources: [{ name: `OpenStreetMap, ${name}`, url: "https://www.openstreetmap.org/copyright", licence: "ODbL-1.0" }],
    layers: { addresses: layer, places: layer, basemap: layer },
  };
}

const WORLD_BUILD: Manifest = {
  version: 1,
  id: "f".repeat(16),
  name: WORLD,
  bounds: [-180, -90, 180, 90],
  inputs: [],
  objectsSha256: "",
  sources: [],
  layers: {},
  checksum: SEAL,
};

/** The key of the place that a town has. */
export const placeIn = (i: number) => placeKey("node", 1000 + i);

function placesOf({ town, name }: TownBuild, i: number): [string, Uint8Array][] {
  const packer = new PlacePacker();
  const place = { key: placeIn(i), name: `${name} Airport`, categories: [1], location: town, footprint: 30 };
  packer.add(place);
  packer.addAirport({ iata: iataOf(i), place });
  return [...packer.finish(() => undefined)].map(({ key, bytes }) => [key, bytes]);
}

export const iataOf = (i: number) =>
  String.fromCharCode(65 + Math.floor(i / 676), 65 + (Math.floor(i / 26) % 26), 65 + (i % 26));

/** The tile of zoom 14 that a town lies in. */
export function tileOf({ latitude, longitude }: { latitude: number; longitude: number }): [number, number, number] {
  const sin = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  return [14, Math.floor(((longitude + 180) / 360) * 2 ** 14), Math.floor(y * 2 ** 14)];
}

async function mapOf({ town }: TownBuild): Promise<Uint8Array> {
  const label: TileFeature = {
    type: POINT,
    properties: { kind: "locality", name: town.name },
    parts: [[2048, 2048]],
  };
  const archive = new WholeArchive();
  await archive.add(tileId(...tileOf(town)), encodeTile([{ name: "places", extent: 4096, features: [label] }]));
  return (await archive.finish({ bounds: box(town), minZoom: 9, maxZoom: 15, metadata: {} })).bytes;
}
