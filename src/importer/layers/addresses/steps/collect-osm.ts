import type { Progress } from "../../../common/progress.ts";
import type { LayerInput, LayerOutput } from "../../../frame/layer.ts";
import { blocksOf } from "../../../osm/store/block-store.ts";
import { footprintOfParts } from "../../places/footprint.ts";
import { type CollectedBlock, ElementCollector, type SharedLinks } from "../jobs/collect-block.ts";
import { interpolationNodes, NumberedNodesBuilder } from "../jobs/interpolation-ends.ts";
import { memberStreets } from "../jobs/member-streets.ts";
import { namesOf } from "../jobs/names-of.ts";
import type { Settlements } from "../records/settlements.ts";
import { CachedBlocks } from "./cached-blocks.ts";
import type { RecordSink } from "./record-sink.ts";
import type { NamedRegion } from "./regions-around.ts";

const NOBODY = { ids: new Float64Array(0), starts: new Float64Array(0), bytes: new Uint8Array(0) };

/** Areas of relations are handed on when they are so many. */
const AREAS = 5000;

let scans = 0;

/**
 * Takes houses, streets, places and regions of the extracts. Nodes and ways are gone through block by block in threads; what
 * relations bound is put together here.
 */
export async function collectOsm(
  input: LayerInput,
  drawn: readonly NamedRegion[],
  settlements: Settlements,
  sink: RecordSink,
  out: LayerOutput,
  progress: Progress,
): Promise<void> {
  const streets = await memberStreets(input);
  const interpolated = await interpolationNodes(input);
  const numbered = new NumberedNodesBuilder();

  const report = (block: CollectedBlock) => {
    progress.advance(block.elements);
    for (const [what, count] of Object.entries(block.counts)) out.count(what, count);
    for (const { tags, at } of block.settlements) settlements.add(tags, at);
    numbered.addAll(block.numbered);
  };
  const pass = async (kind: "nodes" | "ways", links: SharedLinks) => {
    const { path, blocks, reads } = input.blocks(kind);
    const { parts } = input.resources;
    const known = parts && new CachedBlocks(parts, reads, await input.digests(kind), links);
    for (const [i, place] of blocks.entries()) {
      const before = known?.find(i);
      if (before) await sink.known(before, report);
      else
        for await (const bytes of blocksOf(path, [place]))
          await sink.collect({ kind: "collect", bytes, reads, links }, report, (block) => known?.keep(i, block));
    }
    await sink.finish();
  };
  await pass("nodes", { id: ++scans, streets, interpolated, numbered: NOBODY });
  const links = { id: ++scans, streets, interpolated, numbered: numbered.share() };
  await pass("ways", links);

  let areas = new ElementCollector(links);
  const hand = () => {
    sink.addAll(areas.finish(), report);
    areas = new ElementCollector(links);
  };
  await input.scan({
    relation(relation) {
      if (relation.tags.boundary === "administrative" || relation.tags.boundary === "postal_code") return;
      areas.take(relation, () => footprintOfParts(input.multipolygon(relation) ?? [])?.center);
      if (areas.count >= AREAS) hand();
    },
  });
  hand();
  for (const region of drawn) drawnRegion(region, sink);
}

export const REGION_IMPORTANCE = { country: 250, state: 215, county: 150, locality: 130, postalCode: 90 } as const;

/** The name a region is found by; undefined for one that is not found by name. */
export function nameOfRegion({ kind, code, name, tags }: NamedRegion): string | undefined {
  if (kind === "borough" || kind === "neighborhood") return undefined;
  return (kind === "postalCode" ? code : (tags.name ?? name)) || undefined;
}

function drawnRegion(region: NamedRegion, sink: RecordSink): void {
  const { kind, at, country, tags } = region;
  const name = nameOfRegion(region);
  if (name === undefined || kind === "borough" || kind === "neighborhood") return;
  const importance = REGION_IMPORTANCE[kind];
  sink.add({ kind: "region", at, name, importance, names: namesOf(tags), region: kind, country });
}
