import { takeWork } from "../store/search-labels.ts";
import type { OverlayWindow } from "./overlay.ts";
import type { Path } from "./path.ts";
import { type OverlayPath, search, searchExactly, type ViaPath } from "./search.ts";

/** How much of the weight of the best path an alternative may share with it. */
const MAX_OVERLAP = 0.75;
/** Every part of an alternative this long (share of the best path's weight) must be the best path between its ends. */
const LOCAL_SHARE = 0.25;

/** How many candidate paths are unpacked and tested at most. */
const LOOKED_AT = 8;

/**
 * Alternatives by via points (Abraham, Delling, Goldberg & Werneck 2013). `candidates`: the best paths through places
 * that the searches from both ends reached, lightest first. It keeps those that do not share too much with the paths
 * already kept, use no road twice, and make no needless detour to the via point. `newWindow`: for searches between
 * parts of them.
 */
export async function chooseAlternatives(
  newWindow: () => OverlayWindow,
  best: Path,
  candidates: readonly ViaPath[],
  unpackPath: (path: OverlayPath) => Promise<Path | undefined>,
  most: number,
): Promise<Path[]> {
  const chosen: Path[] = [];
  const weights = [weightsOf(best)];
  for (const { path: found, via } of candidates.slice(0, LOOKED_AT)) {
    if (chosen.length === most) break;
    const path = await unpackPath(found);
    if (!path || hasLoop(path)) continue;
    if (weights.some((other) => sharedWeight(path, other) > MAX_OVERLAP * best.weight)) continue;
    if (!(await isLocallyBest(newWindow(), path, via, best.weight * LOCAL_SHARE))) continue;
    chosen.push(path);
    weights.push(weightsOf(path));
  }
  return chosen;
}

/**
 * The T-test: is the part of the path that extends `reach` [0.1 s] to either side of the via edge the best path between
 * its ends?
 */
async function isLocallyBest(window: OverlayWindow, path: Path, via: ViaPath["via"], reach: number): Promise<boolean> {
  const { edges, turns } = path;
  const at = edges.findIndex(({ view, edge }) =>
    via.id >= 0 ? view.tile.crossingOf(edge) === via.id : view.tile.index === via.tile && edge === via.edge,
  );
  if (at < 1) return false;
  let first = at;
  let last = at;
  for (let walked = 0; first > 0 && walked < reach; first--) walked += edges[first].duration * 10;
  for (let walked = 0; last < edges.length - 2 && walked < reach; last++) walked += edges[last + 1].duration * 10;
  if (last <= first) return true;
  let weight = 0;
  for (let i = first; i < last; i++) weight += arcWeight(turns[i]);
  const start = { tile: turns[first].view.tile, edge: turns[first].from, share: 1, owner: 0 };
  const end = { tile: turns[last - 1].view.tile, edge: turns[last - 1].to, share: 1, owner: 0 };
  await window.load([start.tile, end.tile]);
  let direct = search(window, [start], [end]);
  if (window.isLacking) direct = await searchExactly(window, [start], [end]);
  const turn = window.store.spend(takeWork());
  if (turn) await turn;
  return direct !== undefined && weight <= direct.weight;
}

function arcWeight({ view, to, arc }: Path["turns"][number]): number {
  return view.arcs.turnWeight[view.arcs.turn[arc]] + view.weight[to];
}

/** Edges of a path by a key that is valid in every tile, with their weights. Both directions of a road differ. */
function weightsOf({ edges }: Path): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { view, edge, from, to } of edges) weights.set(keyOf(view.tile, edge), view.weight[edge] * (to - from));
  return weights;
}

type KeyedTile = Path["edges"][number]["view"]["tile"];

/** Edges between tiles by their ids, others below 0: a tile has less than 65,536. */
function keyOf(tile: KeyedTile, edge: number): number {
  const own = tile.originalOf(edge);
  const id = tile.crossingOf(own);
  return id >= 0 ? id : -1 - (tile.index * 65_536 + own);
}

function sharedWeight({ edges }: Path, weights: ReadonlyMap<number, number>): number {
  let shared = 0;
  for (const { view, edge } of edges) shared += weights.get(keyOf(view.tile, edge)) ?? 0;
  return shared;
}

/** Returns whether a path uses a road twice, in either direction. */
function hasLoop({ edges }: Path): boolean {
  const seen = new Set<number>();
  for (const { view, edge } of edges) {
    const { tile } = view;
    const piece = tile.pieceOf(edge);
    const forward = tile.forwardEdge(piece);
    const key = keyOf(tile, forward >= 0 ? forward : tile.backwardEdge(piece));
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}
