import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import { seenDirection } from "../../../../src/core/routing/guidance/direction.ts";
import { guide } from "../../../../src/core/routing/guidance/steps/steps.ts";
import type {
  Junction,
  JunctionRoad,
  LegPath,
  PathPiece,
  Road,
  RoadClass,
  RoadNetwork,
  Step,
  TravelMode,
} from "../../../../src/core/routing/guidance/types.ts";

/**
 * A drawing is a map: every letter or digit is a node on a grid of 100 m (or `grid` metres), the dots between them are
 * for the eye. Ways are lines such as `abc highway=primary oneway=yes name=Main_Street`: the nodes, then OpenStreetMap's
 * tags (default highway=primary, name = the letters; `name=` for none; `_` for a blank). A digit that no way names is a
 * place; it snaps to the road next to it.
 */
export interface Drawing {
  map: string;
  ways: string;
  /** "from via to" by their nodes, one restriction (no_*) a line: `ab b bc` as `a b c`. */
  forbidden?: string;
  /** Node tags: `b highway=traffic_signals`. */
  nodes?: string;
  grid?: number;
  drivingSide?: "left" | "right";
  mode?: TravelMode;
}

export type Tags = Record<string, string>;

interface Edge {
  id: number;
  nodes: string[];
  road: Road;
  /** The same stretch the other way; -1 for a one-way. */
  twin: number;
  /** Which way of the drawing, to tell parallel edges apart. */
  way: number;
}

interface Place {
  edge: Edge;
  /** Position on the edge's line [m]. */
  offset: number;
}

export function parseTags(words: string[]): Tags {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf("=");
      const [key, value] = [word.slice(0, at), word.slice(at + 1)];
      return [key, /^(name|ref|destination|exit_to)/.test(key) ? value.replaceAll("_", " ") : value];
    }),
  );
}

const CLASS_OF: Record<string, RoadClass> = { pedestrian: "footway", road: "unclassified", bridleway: "path" };

function roadOf(nodes: string, tags: Tags, forward: boolean, mode: TravelMode): Road {
  const highway = tags.highway ?? (tags.route === "ferry" ? "ferry" : "primary");
  const plain = highway.replace(/_link$/, "");
  const circle = tags.junction === "roundabout" || tags.junction === "circular" ? tags.junction : undefined;
  const side = forward ? "forward" : "backward";
  const lanes = tags["turn:lanes"] ?? tags[`turn:lanes:${side}`];
  return {
    name: tags.name ?? nodes,
    ref: tags.ref ?? "",
    class: CLASS_OF[plain] ?? (plain as RoadClass),
    link: plain !== highway,
    mode: highway === "ferry" ? "ferry" : ((tags.mode as TravelMode | undefined) ?? mode),
    oneway: isOneway(tags),
    ...(circle && { roundabout: circle }),
    ...(tags.destination && { destination: tags.destination }),
    ...(tags["destination:ref"] && { destinationRef: tags["destination:ref"] }),
    ...(tags["destination:lanes"] && { destinationLanes: tags["destination:lanes"] }),
    ...(tags["junction:ref"] && { exitRef: tags["junction:ref"] }),
    ...(tags.lanes && { lanes: Number(tags.lanes) }),
    ...(lanes && { turnLanes: lanes }),
    ...(tags.service && { minor: true }),
    ...(tags.bridge && { bridge: true }),
    ...(tags.tunnel && { tunnel: true }),
  };
}

function isOneway(tags: Tags): boolean {
  if (tags.oneway) return tags.oneway !== "no";
  return tags.junction !== undefined || tags.highway === "motorway" || tags.highway === "motorway_link";
}

/** A map one can be guided on. */
export class World implements RoadNetwork {
  readonly places = new Map<string, Coordinate>();
  private readonly edges: Edge[] = [];
  private readonly incident = new Map<string, Edge[]>();
  private readonly nodeTags = new Map<string, Tags>();
  private readonly forbidden = new Set<string>();
  private readonly drawing: Drawing;

  constructor(drawing: Drawing) {
    this.drawing = drawing;
    const grid = drawing.grid ?? 100;
    const origin = { latitude: 1, longitude: 1 };
    drawing.map.split("\n").forEach((line, row) => {
      [...line].forEach((char, column) => {
        if (!/[A-Za-z0-9]/.test(char)) return;
        const south = destination(origin, 180, row * grid);
        this.places.set(char, destination(south, 90, column * grid));
      });
    });
    for (const line of lines(drawing.nodes)) {
      const [node, ...words] = line.split(/\s+/);
      this.nodeTags.set(node, parseTags(words));
    }
    for (const line of lines(drawing.forbidden)) this.forbidden.add(line.replaceAll(" ", ""));
    this.cut(lines(drawing.ways).map((line) => line.split(/\s+/)));
  }

  /** Cuts the ways into edges where they meet, end or change. */
  private cut(ways: string[][]): void {
    const uses = new Map<string, number>();
    for (const [nodes] of ways) {
      [...nodes].forEach((node, i) => {
        const weight = i === 0 || i === nodes.length - 1 ? 2 : 1;
        uses.set(node, (uses.get(node) ?? 0) + weight);
      });
    }
    ways.forEach(([nodes, ...words], way) => {
      const tags = parseTags(words);
      const mode = this.drawing.mode ?? "driving";
      const forward = roadOf(nodes, tags, true, mode);
      const backward = isOneway(tags) ? undefined : roadOf(nodes, tags, false, mode);
      let begin = 0;
      for (let i = 1; i < nodes.length; i++) {
        const ends = i === nodes.length - 1 || (uses.get(nodes[i]) ?? 0) > 1 || this.nodeTags.has(nodes[i]);
        if (!ends) continue;
        this.addEdge([...nodes.slice(begin, i + 1)], forward, backward, way);
        begin = i;
      }
    });
  }

  private addEdge(nodes: string[], forward: Road, backward: Road | undefined, way: number): void {
    const id = this.edges.length;
    const edge: Edge = { id, nodes, road: forward, twin: backward ? id + 1 : -1, way };
    const both = [edge];
    if (backward) both.push({ id: id + 1, nodes: nodes.toReversed(), road: backward, twin: id, way });
    this.edges.push(...both);
    for (const node of new Set([nodes[0], nodes[nodes.length - 1]])) {
      const list = this.incident.get(node) ?? [];
      list.push(...both);
      this.incident.set(node, list);
    }
  }

  private line(edge: Edge): Coordinate[] {
    return edge.nodes.map((node) => this.at(node));
  }

  /** Along these nodes and on to the next junction, as far as the road keeps its name. */
  private lineTo(nodes: readonly string[], name: string): Coordinate[] {
    const all = [...nodes];
    for (let arms: { out?: Edge; in?: Edge }[]; all.length < 20; ) {
      const [before, end] = all.slice(-2);
      arms = this.arms(end);
      if (arms.length !== 2) break;
      const ways = arms.map((arm) => arm.out?.nodes ?? arm.in?.nodes.toReversed() ?? []);
      const next = arms.findIndex((arm, i) => ways[i][1] !== before && (arm.out ?? arm.in)?.road.name === name);
      if (next < 0) break;
      all.push(...ways[next].slice(1));
    }
    return all.map((node) => this.at(node));
  }

  at(node: string): Coordinate {
    const place = this.places.get(node);
    if (!place) throw new Error(`no node ${node} in the drawing`);
    return place;
  }

  private end(edge: Edge): string {
    return edge.nodes[edge.nodes.length - 1];
  }

  private mayTurn(from: Edge, onto: Edge): boolean {
    const via = this.end(from);
    if (onto.nodes[0] !== via) return false;
    if (onto.id === from.twin) return this.arms(via).length === 1;
    const key = `${from.nodes[from.nodes.length - 2]}${via}${onto.nodes[1]}`;
    return !this.forbidden.has(key);
  }

  /** The stretches that end at a node, each once for either direction it is seen in. */
  private arms(node: string): { out?: Edge; in?: Edge }[] {
    const arms: { out?: Edge; in?: Edge }[] = [];
    for (const edge of this.incident.get(node) ?? []) {
      if (edge.nodes[0] === node) arms.push({ out: edge, ...(edge.twin >= 0 && { in: this.edges[edge.twin] }) });
      if (this.end(edge) === node && edge.twin < 0) arms.push({ in: edge });
    }
    return arms;
  }

  private junction(from: Edge, onto?: Edge): Junction {
    const node = this.end(from);
    const tags = this.nodeTags.get(node) ?? {};
    let arrival = -1;
    let departure = -1;
    const arms = this.arms(node);
    const lanes = Math.max(...arms.map((arm) => (arm.out?.road.lanes ?? 0) + (arm.in?.road.lanes ?? 0)));
    const roads = arms.map((arm, index): JunctionRoad => {
      const seen = arm.out ?? arm.in;
      if (!seen) throw new Error("an arm without a road");
      if (arm.in === from) arrival = index;
      if (onto && arm.out === onto) departure = index;
      const line = this.lineTo(arm.out ? arm.out.nodes : seen.nodes.toReversed(), seen.road.name);
      return {
        road: seen.road,
        bearing: seenDirection(line, { ...seen.road, junction: seen.road.roundabout }, lanes),
        entry: arm.out !== undefined && this.mayTurn(from, arm.out),
        leaves: arm.out !== undefined,
        edge: arm.out?.id ?? -1,
      };
    });
    return {
      location: this.at(node),
      roads,
      arrival,
      departure,
      ...(tags.highway === "traffic_signals" && { trafficSignal: true }),
      ...(tags.highway === "motorway_junction" && tags.ref && { exitRef: tags.ref }),
      ...(tags.highway === "motorway_junction" && tags.name && { exitName: tags.name }),
    };
  }

  follow(id: number): { junction: Junction; distance: number; geometry: Coordinate[] } | undefined {
    const edge = this.edges[id];
    if (!edge || this.arms(this.end(edge)).length === 1) return undefined;
    const geometry = this.line(edge);
    return { junction: this.junction(edge), distance: lengthOf(geometry), geometry };
  }

  /** Where on the directed edges a node or a place beside a road lies. */
  private snap(node: string): Place[] {
    const onRoad = this.edges.flatMap((edge) => {
      const at = edge.nodes.indexOf(node);
      if (at < 0) return [];
      return [{ edge, offset: lengthOf(this.line(edge).slice(0, at + 1)) }];
    });
    if (onRoad.length > 0) return onRoad;
    const place = this.at(node);
    const near = this.edges.map((edge) => ({ edge, ...project(this.line(edge), place) }));
    const best = Math.min(...near.map(({ away }) => away));
    return near.filter(({ away }) => away < best + 0.5).map(({ edge, offset }) => ({ edge, offset }));
  }

  /** The shortest path between two places that keeps one-ways and restrictions (Dijkstra 1959, on directed edges). */
  path(from: string, to: string): LegPath {
    const starts = new Map(this.snap(from).map(({ edge, offset }) => [edge.id, offset]));
    const settled = this.explore(starts);
    let best = { cost: Number.POSITIVE_INFINITY, chain: [] as number[], end: 0 };
    for (const { edge, offset } of this.snap(to)) {
      if (offset < 0.01) continue;
      const start = starts.get(edge.id);
      if (start !== undefined && start < offset - 0.01 && offset - start < best.cost) {
        best = { cost: offset - start, chain: [edge.id], end: offset };
      }
      for (const [id, { cost }] of settled) {
        if (!this.mayTurn(this.edges[id], edge) || cost + offset > best.cost - 1e-6) continue;
        const chain = [edge.id];
        for (let back = id; back >= 0; back = settled.get(back)?.previous ?? -1) chain.unshift(back);
        best = { cost: cost + offset, chain, end: offset };
      }
    }
    if (best.chain.length === 0) throw new Error(`no way from ${from} to ${to}`);
    const start = best.chain.length === 1 || starts.has(best.chain[0]) ? (starts.get(best.chain[0]) ?? 0) : 0;
    return this.leg(best.chain, start, best.end, to);
  }

  /** Least distance to the end of every edge that can be reached. */
  private explore(starts: Map<number, number>): Map<number, { cost: number; previous: number }> {
    const settled = new Map<number, { cost: number; previous: number }>();
    const open: { id: number; cost: number; previous: number }[] = [];
    for (const [id, offset] of starts) {
      const cost = lengthOf(this.line(this.edges[id])) - offset;
      if (cost > 0.01) open.push({ id, cost, previous: -1 });
    }
    while (open.length > 0) {
      open.sort((a, b) => b.cost - a.cost);
      const next = open.pop();
      if (!next || settled.has(next.id)) continue;
      settled.set(next.id, next);
      for (const onto of this.edges) {
        if (settled.has(onto.id) || !this.mayTurn(this.edges[next.id], onto)) continue;
        open.push({ id: onto.id, cost: next.cost + lengthOf(this.line(onto)), previous: next.id });
      }
    }
    return settled;
  }

  private leg(chain: number[], start: number, end: number, to: string): LegPath {
    const pieces = chain.map((id, index): PathPiece => {
      const edge = this.edges[id];
      const line = this.line(edge);
      const begin = index === 0 ? start : 0;
      const finish = index === chain.length - 1 ? end : lengthOf(line);
      const geometry = slice(line, begin, finish);
      const length = finish - begin;
      return { road: edge.road, distance: length, duration: length / 10, geometry };
    });
    const junctions = chain.slice(1).map((id, index) => this.junction(this.edges[chain[index]], this.edges[id]));
    return { pieces, junctions, destination: this.at(to), drivingSide: this.drawing.drivingSide ?? "right" };
  }

  steps(from: string, to: string): Step[] {
    return guide(this.path(from, to), this);
  }
}

/** The lines of a table that hold something. */
export function lines(text: string | undefined): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function lengthOf(line: Coordinate[]): number {
  let length = 0;
  for (let i = 1; i < line.length; i++) length += distance(line[i - 1], line[i]);
  return length;
}

function between(a: Coordinate, b: Coordinate, share: number): Coordinate {
  return {
    latitude: a.latitude + (b.latitude - a.latitude) * share,
    longitude: a.longitude + (b.longitude - a.longitude) * share,
  };
}

function slice(line: Coordinate[], begin: number, end: number): Coordinate[] {
  const out: Coordinate[] = [];
  let at = 0;
  for (let i = 1; i < line.length; i++) {
    const length = distance(line[i - 1], line[i]);
    const from = Math.max(0, (begin - at) / length);
    const to = Math.min(1, (end - at) / length);
    if (from < 1 && to > 0) {
      if (out.length === 0) out.push(between(line[i - 1], line[i], from));
      out.push(between(line[i - 1], line[i], to));
    }
    at += length;
  }
  return out;
}

function project(line: Coordinate[], place: Coordinate): { away: number; offset: number } {
  let best = { away: Number.POSITIVE_INFINITY, offset: 0 };
  let at = 0;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    const dx = b.longitude - a.longitude;
    const dy = b.latitude - a.latitude;
    const t = ((place.longitude - a.longitude) * dx + (place.latitude - a.latitude) * dy) / (dx * dx + dy * dy);
    const point = between(a, b, Math.max(0, Math.min(1, t)));
    const away = distance(point, place);
    if (away < best.away) best = { away, offset: at + distance(a, point) };
    at += distance(a, b);
  }
  return best;
}

/** "turn right", "roundabout right 2": the way a table of expected turns writes a maneuver. */
export function told(step: Step): string {
  const { type, modifier, exit } = step.maneuver;
  return [type, modifier, exit].filter((part) => part !== undefined).join(" ");
}

/** What is told on the way: the maneuvers, or the roads as name or number. */
export function turnsOf(steps: Step[]): string {
  return steps.map(told).join(", ");
}

export function roadsOf(steps: Step[]): string {
  return steps.map(({ name, ref }) => name || ref).join(", ");
}
