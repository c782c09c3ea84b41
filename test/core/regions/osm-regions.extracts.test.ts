import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { boroughOf } from "../../../src/core/regions/boroughs.ts";
import { RegionIndex, tilesFrom } from "../../../src/core/regions/region-index.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import type { OsmRelation } from "../../../src/importer/osm/pbf/element.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { EXTRACTS, runLayer } from "./extract-harness.ts";

/** Relations of an extract whose ways and nodes are all there and whose ends meet in pairs, by level: counted another way. */
async function wholeRelations(path: string): Promise<{ whole: Record<string, number>; total: number }> {
  const nodes = new Set<number>();
  const ways = new Map<number, readonly number[]>();
  const relations: OsmRelation[] = [];
  await scanPbf(path, {
    node: ({ id }) => void nodes.add(id),
    way: ({ id, refs }) => void ways.set(id, refs),
    relation: (relation) => void relations.push(relation),
  });
  const areas = relations.filter(
    ({ tags }) =>
      ["boundary", "multipolygon"].includes(tags.type) && ["administrative", "postal_code"].includes(tags.boundary),
  );
  const whole: Record<string, number> = {};
  for (const { members, tags } of areas) {
    const lines = members.filter(({ type }) => type === "way").map(({ ref }) => ways.get(ref));
    if (lines.length === 0 || !lines.every((refs) => refs?.every((id) => nodes.has(id)))) continue;
    const ends = new Map<number, number>();
    for (const refs of lines) {
      for (const end of refs ? [refs[0], refs[refs.length - 1]] : []) ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    if ([...ends.values()].some((count) => count % 2 === 1)) continue;
    const level = tags.boundary === "postal_code" ? "postal" : (tags.admin_level ?? "none");
    whole[level] = (whole[level] ?? 0) + 1;
  }
  return { whole, total: areas.length };
}

const there = existsSync(EXTRACTS);
describe.skipIf(!there)(there ? "real extracts" : "real extracts (skipped: no extract)", () => {
  it.each([["monaco"], ["malta"], ["vancouver"], ["queens-village-ny"]])(
    "%s has as many regions of each level as another count finds whole",
    async (name) => {
      const path = join(EXTRACTS, `${name}.osm.pbf`);
      const { counts } = await runLayer(osmRegions, [path]);
      const { whole, total } = await wholeRelations(path);
      const out = (counts["relations cut by the extract's edge"] ?? 0) + (counts["relations that do not close"] ?? 0);
      expect(total - out).toBe(Object.values(whole).reduce((sum, count) => sum + count, 0));
      const found = [counts.country, counts.state, counts.locality, counts.neighborhood, counts.postalCode];
      const expected = [whole[2], whole[4], whole[8], whole[10], whole.postal];
      expect(found.map((count) => count ?? 0)).toEqual(expected.map((count) => count ?? 0));
    },
  );

  it("tell towns apart that the world base does not know", async () => {
    const malta = await runLayer(osmRegions, [join(EXTRACTS, "malta.osm.pbf")]);
    const index = new RegionIndex([tilesFrom(memorySource(malta.objects))]);
    const at = async (latitude: number, longitude: number) => {
      const { country, state, locality } = await index.regionsAt({ latitude, longitude });
      return [country?.code, state?.name, locality?.name];
    };
    expect(await at(35.8986, 14.5136)).toEqual(["MT", "Malta", "Valletta"]);
    expect(await at(35.9122, 14.5042)).toEqual(["MT", "Malta", "Tas-Sliema"]);
    expect(await at(36.0432, 14.2406)).toEqual(["MT", "Gozo", expect.any(String)]);
  });

  it("tell Monaco's quarters from the French town behind them", async () => {
    const monaco = await runLayer(osmRegions, [join(EXTRACTS, "monaco.osm.pbf")]);
    const index = new RegionIndex([tilesFrom(memorySource(monaco.objects))]);
    const rock = await index.regionsAt({ latitude: 43.7311, longitude: 7.4244 });
    expect([rock.country?.code, rock.locality?.name, rock.neighborhood?.name]).toEqual([
      "MC",
      "Monaco",
      "Monaco-Ville",
    ]);
    const behind = await index.regionsAt({ latitude: 43.7465, longitude: 7.4235 });
    expect([behind.locality?.name, behind.neighborhood]).toEqual(["Beausoleil", undefined]);
  });

  it.each([
    ["queens-village-ny", 40.7262, -73.7415, "Queens Village", "Queens"],
    ["vancouver", 49.2842, -123.1089, "Gastown", undefined],
    ["vancouver", 49.2684, -123.1683, "Kitsilano", undefined],
  ])("%s has the neighborhood and borough at %d, %d", async (name, latitude, longitude, neighborhood, borough) => {
    const { objects } = await runLayer(osmRegions, [join(EXTRACTS, `${name}.osm.pbf`)]);
    const regions = await new RegionIndex([tilesFrom(memorySource(objects))]).regionsAt({ latitude, longitude });
    expect([regions.neighborhood?.name, boroughOf(regions)?.name]).toEqual([neighborhood, borough]);
  });
});
