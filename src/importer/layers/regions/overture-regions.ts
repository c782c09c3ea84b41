import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { PackedRings, PackedShape } from "../../../core/regions/packed-shape.ts";
import type { Region } from "../../../core/regions/region.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import type { LayerOutput } from "../../frame/layer.ts";
import type { Tags } from "../../osm/pbf/element.ts";
import { type Division, divisionIn } from "../../sources/overture/division-rows.ts";
import { chunksOfPart } from "../../sources/overture/part-file.ts";
import { dataSourceOf, partsOf, readPlan } from "../../sources/overture/plan.ts";

/** A region that is complete, and its names as tags of OpenStreetMap. */
export interface DrawnRegion {
  tags: Tags;
  shape: RegionShape;
}

/** The divisions of a release of Overture that no extract has. */
export async function overtureRegions(path: string, drawn: readonly DrawnRegion[]): Promise<DrawnRegion[]> {
  const known = new Set(drawn.map(({ shape }) => nameOf(shape)));
  const found: DrawnRegion[] = [];
  for (const file of partsOf(path, await readPlan(path))) {
    for await (const chunk of chunksOfPart(file)) {
      const division = divisionIn(chunk);
      const region = regionOf(division);
      if (known.has(nameOf(region))) continue;
      found.push({ tags: tagsOf(division), shape: new PackedShape(region, new PackedRings(division.rings)) });
    }
  }
  return found;
}

/** Where the divisions are, and their sources. */
export async function creditDivisions(path: string, out: LayerOutput): Promise<Bounds[]> {
  const plan = await readPlan(path);
  for (const dataset of plan.datasets) out.source(dataSourceOf(dataset, plan));
  for (const [reason, count] of Object.entries(plan.skipped)) out.count(`skipped: ${reason}`, count);
  return plan.bounds;
}

function regionOf({ kind, country, state, name }: Division): Region {
  if (kind === "country") return { kind, rank: "import", code: country, name: "", country, state: "" };
  if (kind === "state") return { kind, rank: "import", code: state, name, country, state: "" };
  return { kind, rank: "import", code: "", name, country, state };
}

const nameOf = ({ kind, country, code, name }: Region): string =>
  kind === "country" || kind === "state" ? `${kind} ${country} ${code || name}` : `${kind} ${name}`;

function tagsOf({ name, names }: Division): Tags {
  return { name, ...Object.fromEntries([...names].map(([language, text]) => [`name:${language}`, text])) };
}
