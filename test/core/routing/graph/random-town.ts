import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";

/** A linear congruential generator (Numerical Recipes): 0 ≤ x < 1, the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const KINDS: readonly Tags[] = [
  { highway: "residential" },
  { highway: "residential" },
  { highway: "residential", oneway: "yes" },
  { highway: "tertiary", maxspeed: "50" },
  { highway: "primary", lanes: "2" },
  { highway: "motorway" },
  { highway: "trunk", toll: "yes" },
  { highway: "service", service: "alley" },
  { highway: "service", access: "private" },
  { highway: "footway" },
  { highway: "cycleway" },
  { highway: "track", tracktype: "grade3" },
  { highway: "secondary", maxheight: "3" },
  { route: "ferry", duration: "00:05" },
];
const RESTRICTIONS = ["no_left_turn", "no_right_turn", "no_u_turn", "only_straight_on", "only_left_turn"];

/**
 * A town of size × size crossings, askew, with gaps, every kind of road, barriers, lights, border posts, and restrictions
 * over nodes and over ways.
 */
export function randomTown(size: number, seed: number): OsmElement[] {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const elements: OsmElement[] = [];
  const id = (row: number, column: number) => row * size + column + 1;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const roll = random();
      const tags: Tags =
        roll < 0.05
          ? { highway: "traffic_signals" }
          : roll < 0.06
            ? { barrier: "bollard" }
            : roll < 0.07
              ? { barrier: "border_control" }
              : {};
      elements.push({
        type: "node",
        id: id(row, column),
        latitude: 41 + (row + random() * 0.6) * 0.001,
        longitude: -8 + (column + random() * 0.6) * 0.0013,
        tags,
      });
    }
  }
  const ways: { id: number; refs: number[] }[] = [];
  const add = (refs: number[]) => {
    const way = { id: ways.length + 1, refs };
    ways.push(way);
    elements.push({ type: "way", ...way, tags: { name: `Street ${way.id}`, ...pick(KINDS) } });
  };
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (column + 1 < size && random() < 0.9) {
        const long = column + 2 < size && random() < 0.3;
        add([id(row, column), id(row, column + 1), ...(long ? [id(row, column + 2)] : [])]);
      }
      if (row + 1 < size && random() < 0.9) add([id(row, column), id(row + 1, column)]);
      if (row + 1 < size && column + 1 < size && random() < 0.03) add([id(row + 1, column + 1), id(row, column)]);
    }
  }
  const byNode = new Map<number, typeof ways>();
  for (const way of ways) {
    for (const ref of way.refs) byNode.set(ref, [...(byNode.get(ref) ?? []), way]);
  }
  for (let i = 0; i < ways.length / 8; i++) {
    const via = pick(ways);
    const overWay = random() < 0.4;
    const node = via.refs[0];
    const other = via.refs[via.refs.length - 1];
    const from = pick(byNode.get(node) ?? []);
    const to = pick(byNode.get(overWay ? other : node) ?? []);
    if (!from || !to || from === via || to === via) continue;
    elements.push({
      type: "relation",
      id: i + 1,
      tags: { type: "restriction", restriction: pick(RESTRICTIONS) },
      members: [
        { type: "way", ref: from.id, role: "from" },
        overWay ? { type: "way", ref: via.id, role: "via" } : { type: "node", ref: node, role: "via" },
        { type: "way", ref: to.id, role: "to" },
      ],
    });
  }
  return elements;
}

/** The same, but that each restriction applies at one of these times only. */
export function townWithTimedTurns(size: number, seed: number, times: readonly string[]): OsmElement[] {
  let count = 0;
  return randomTown(size, seed).map((element): OsmElement => {
    const { restriction, ...tags } = element.tags;
    if (!restriction) return element;
    const time = times[count++ % times.length];
    return { ...element, tags: { ...tags, "restriction:conditional": `${restriction} @ (${time})` } };
  });
}
