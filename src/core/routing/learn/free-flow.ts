import { arcBetween } from "../graph/arcs.ts";
import { CAR, type Metric } from "../graph/modes.ts";
import type { Tile } from "../graph/tile.ts";
import type { Stretch } from "../match/course.ts";
import type { RoadStore } from "../store/road-store.ts";
import { hasSignal } from "./edge-facts.ts";

/** Default speeds: those of the profile, which an import with learned speeds does not change. */
const FREE_FLOW: Metric = { mode: CAR, avoid: 0 };

/** What the profile expects of a course. */
export interface FreeFlow {
  /** By stretch: length of the complete edge [m], and its time without turns [s]. */
  meters: Float64Array;
  seconds: Float64Array;
  /** By stretch: the turn onto it from the one before, with signals [s]; 0 for the first. */
  turns: Float64Array;
  /** By stretch: 1 if traffic lights are at its end. */
  signals: Uint8Array;
}

export async function freeFlow(store: RoadStore, stretches: readonly Stretch[]): Promise<FreeFlow> {
  const count = stretches.length;
  const numbers = () => new Float64Array(count);
  const flow = { meters: numbers(), seconds: numbers(), turns: numbers(), signals: new Uint8Array(count) };
  for (let i = 0; i < count; i++) {
    const { tile, edge } = stretches[i];
    flow.meters[i] = tile.lengthOf(edge) / 10;
    flow.seconds[i] = store.view(tile, FREE_FLOW).arcs.duration[edge] / 10;
    flow.signals[i] = hasSignal(tile, edge) ? 1 : 0;
    if (i > 0) flow.turns[i] = await turnSeconds(store, stretches[i - 1], stretches[i]);
  }
  return flow;
}

/** Time of a turn [s], 0 where the course jumps or turns round in the middle of a road. */
async function turnSeconds(store: RoadStore, from: Stretch, to: Stretch): Promise<number> {
  if (from.to !== 1 || to.from !== 0) return 0;
  const node = from.tile.headOf(from.edge);
  const isInside = node < from.tile.insideCount;
  const index = isInside ? from.tile.index : from.tile.outsideTile[node - from.tile.insideCount];
  const tile = isInside ? from.tile : (store.tileAtHand(index) ?? (await store.tile(index)));
  if (!tile) return 0;
  const a = numberIn(tile, from);
  const b = numberIn(tile, to);
  if (a === undefined || b === undefined) return 0;
  const { arcs } = store.view(tile, FREE_FLOW);
  // A restriction's copies of an edge take the same turns, as far as these are open.
  for (const left of tile.withCopies(tile.originalOf(a))) {
    for (const entered of tile.withCopies(tile.originalOf(b))) {
      const arc = arcBetween(arcs, left, entered);
      if (arc >= 0) return arcs.turnDuration[arcs.turn[arc]] / 10;
    }
  }
  return 0;
}

/** The number of an edge in another tile that has it too. */
function numberIn(tile: Tile, step: Pick<Stretch, "tile" | "edge">): number | undefined {
  if (step.tile === tile || step.tile.index === tile.index) return step.edge;
  const id = step.tile.crossingOf(step.tile.originalOf(step.edge));
  if (id < 0) return undefined;
  return tile.leaving.get(id) ?? tile.entering[id - tile.firstEntering];
}
