import type { Layer } from "../../../src/importer/frame/layer.ts";

/**
 * A layer for tests that writes down all it can learn from its input: an object per kind of element with what the frame
 * resolved for it.
 */
export const census: Layer = {
  name: "census",
  formatVersion: 3,
  summary: "everything that amenities, highways, buildings and multipolygons say",
  reads: { nodes: ["amenity"], ways: ["highway", "building"], relations: ["type=multipolygon", "type=boundary"] },
  async build(input, out, progress) {
    const seen = { nodes: [] as unknown[], ways: [] as unknown[], relations: [] as unknown[] };
    await input.scan({
      node(node) {
        seen.nodes.push(node);
        progress.advance();
      },
      way(way) {
        seen.ways.push({ ...way, line: input.line(way), whole: input.isWhole(way) });
        out.count("ways");
      },
      relation(relation) {
        const area = input.multipolygon(relation);
        seen.relations.push({ ...relation, area });
        out.count(area ? "areas" : "no areas");
      },
    });
    for (const [kind, elements] of Object.entries(seen)) {
      await out.write(`census/${kind}.json`, Buffer.from(JSON.stringify(elements)));
    }
    out.source({ name: "Census", url: "https://example.org", licence: "CC0-1.0" });
  },
};
