import { looked, overlayLabels } from "../store/search-labels.ts";
import type { TileView } from "../store/tile-view.ts";
import type { OverlayWindow } from "./overlay.ts";
import type { Hop, OverlayPath } from "./search.ts";

/**
 * A run of edges whose turns are all in one tile. The last edge of a stretch is the first of the next, in its own tile.
 */
export interface Stretch {
  view: TileView;
  edges: number[];
}

/**
 * The edges of a path through the overlay. Level by level, hops across large cells become hops across the cells inside
 * them (a small search over cliques), finally hops across tiles become edges. Missing objects are read first, all of a
 * level together. Undefined if the path leads through an object that cannot be read: the store remembers it, and a new
 * window over the same store routes around it.
 */
export async function unpack(window: OverlayWindow, path: OverlayPath): Promise<Stretch[] | undefined> {
  const { store, numbering } = window;
  const { manifest } = store;
  let hops = path.hops;
  for (let level = manifest.levels - 1; level >= 2; level--) {
    const wanted = new Set(hops.filter((hop) => hop.level === level).map(({ place }) => place));
    const inside = await openBelow(window, level, wanted);
    if (!inside) return undefined;
    if (wanted.size > 0)
      hops = hops.flatMap((hop) =>
        hop.level === level ? descend(window, hop, inside.get(hop.place) as number) : [hop],
      );
  }
  const tileOf = (place: number) => numbering.cell(place)[1];
  const tiles = new Map<number, TileView>();
  let whole = true;
  await Promise.all(
    [...new Set(hops.filter(({ level }) => level === 1).map(({ place }) => tileOf(place)))].map(async (index) => {
      const tile = store.tileAtHand(index) ?? (await store.tile(index));
      if (tile) tiles.set(index, store.view(tile, window.metric));
      else {
        store.detours.add(index);
        whole = false;
      }
    }),
  );
  if (!whole) return undefined;
  return join(window, path, hops, tiles);
}

/**
 * Loads the packs of the children of some cells into the window, all together.
 * @returns the first cell inside each: its source may be evicted before it is needed. Undefined if an object cannot be
 * read
 */
async function openBelow(
  window: OverlayWindow,
  level: number,
  places: Iterable<number>,
): Promise<Map<number, number> | undefined> {
  const { store, numbering, metric } = window;
  const first = new Map<number, number>();
  const lacking: { place: number; cell: number }[] = [];
  for (const place of places) {
    const [, cell] = numbering.cell(place);
    const known = store.districts.childrenAtHand(level - 1, cell);
    if (known && window.has(level - 1, known[0])) first.set(place, known[0]);
    else lacking.push({ place, cell });
  }
  const packs = await Promise.all(lacking.map(({ cell }) => store.pack(metric, level - 1, cell)));
  for (const [i, loaded] of packs.entries()) {
    const { place, cell } = lacking[i];
    if (loaded) {
      window.add(level - 1, loaded);
      first.set(place, loaded.firstCell);
    } else store.detours.add(await store.districts.firstTileOf(level, cell));
  }
  if (packs.includes(undefined)) return undefined;
  for (const [place, inside] of first) {
    if (await window.completeAll(level - 1, inside)) continue;
    store.detours.add(await store.districts.firstTileOf(level, numbering.cell(place)[1]));
    return undefined;
  }
  return first;
}

const [labels] = overlayLabels;

/** The path across a cell of level ≥ 2 as hops across the cells inside it, of which `inside` is the first: Dijkstra's algorithm over their cliques. */
function descend(window: OverlayWindow, { from, to, level, place: outer }: Hop, inside: number): Hop[] {
  const { numbering } = window;
  const below = level - 1;
  const [, cell] = numbering.cell(outer);
  const pack = numbering.packAt(below, inside);
  const row = numbering.row[below];
  const headCell = numbering.headCell[below];
  labels.reset(numbering.count, "from", "place");
  const { heap, key, from: before, place } = labels;
  labels.lower(from, 0);
  for (;;) {
    if (heap.size === 0) throw new Error(`routing: no way from ${from} to ${to} across cell ${cell} of level ${level}`);
    const cost = heap.least;
    const id = heap.pop();
    if (id === to) break;
    const child = headCell[id] - 1;
    if (child < 0 || numbering.packOf[child] !== pack) continue;
    const { outs, weight, none } = window.clique(child);
    const base = row[id] * outs.length;
    looked.at += outs.length;
    for (let c = 0; c < outs.length; c++) {
      if (weight[base + c] === none) continue;
      const next = outs[c];
      const sum = cost + weight[base + c];
      if (sum >= key[next]) continue;
      labels.lower(next, sum);
      before[next] = id;
      place[next] = child;
    }
  }
  const hops: Hop[] = [];
  for (let id = to; id !== from; id = before[id])
    hops.push({ from: before[id], to: id, level: below, place: place[id] });
  return hops.reverse();
}

function join(
  window: OverlayWindow,
  path: OverlayPath,
  hops: readonly Hop[],
  tiles: ReadonlyMap<number, TileView>,
): Stretch[] {
  const first = window.views[window.viewAt(path.start.tile.index)];
  const stretches: Stretch[] = [{ view: first, edges: [path.start.edge] }];
  let current = stretches[0];
  const follow = (view: TileView, entering: number, edges: ArrayLike<number>) => {
    if (view.tile !== current.view.tile) {
      current = { view, edges: [entering] };
      stretches.push(current);
    }
    for (let i = 1; i < edges.length; i++) current.edges.push(edges[i]);
  };
  for (const hop of hops) {
    if (hop.level >= 1) {
      const { ids } = window.numbering;
      const view = tiles.get(window.numbering.cell(hop.place)[1])!;
      const entering = view.tile.entering[ids[hop.from] - view.tile.firstEntering];
      follow(view, entering, view.path(entering, view.tile.leaving.get(ids[hop.to])!));
      continue;
    }
    const view = window.views[hop.place];
    const from = window.edgeIn(hop.place, hop.from, true);
    const to = window.edgeIn(hop.place, hop.to, false);
    if (hop.level === 0) {
      follow(view, from, view.pathInCell(view.tile.nodeCell[view.tile.headOf(from)], from, to));
    } else follow(view, from, [from, to]);
  }
  return stretches;
}
