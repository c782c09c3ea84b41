import { arcBetween } from "../graph/arcs.ts";
import type { EdgeProfile, Metric } from "../graph/modes.ts";
import type { HourlySubject } from "../graph/tile-hours.ts";
import type { TileView } from "../store/tile-view.ts";

/** When a journey is under way: from a local minute on, for so many minutes. */
export interface JourneyTime {
  from: number;
  minutes: number;
}

/** What may be slower or closed in a tile while a journey is under way; searches use the best of all hours. */
export interface HourlyArcs {
  /** By arc: 1 where its turn or one of its edges is that. */
  readonly arcs: Uint8Array;
  /** By edge, likewise. */
  readonly edges: Uint8Array;
  /** Search cells that contain such an arc. */
  readonly cells: ReadonlySet<number>;
}

/** By view, for the last subjects asked for: those change only when some hour begins or ends. */
const known = new WeakMap<TileView, { subjects: readonly HourlySubject[]; found: HourlyArcs | undefined }>();

/** Undefined where everything is at its best all the time, as in most tiles. */
export function hourlyArcs(view: TileView, metric: Metric, { from, minutes }: JourneyTime): HourlyArcs | undefined {
  const { hours } = view.tile;
  if (!hours) return undefined;
  const subjects = hours.worseWithin(metric.mode, from, minutes);
  if (subjects.length === 0) return undefined;
  const last = known.get(view);
  if (last && isSame(last.subjects, subjects)) return last.found;
  const found = findArcs(view, metric, subjects);
  known.set(view, { subjects, found });
  return found;
}

const isSame = (one: readonly HourlySubject[], other: readonly HourlySubject[]): boolean =>
  one.length === other.length && one.every((subject, i) => subject === other[i]);

function findArcs({ tile, arcs }: TileView, { mode, variant }: Metric, subjects: readonly HourlySubject[]) {
  const found = {
    arcs: new Uint8Array(arcs.to.length),
    edges: new Uint8Array(tile.edgeCount),
    cells: new Set<number>(),
  };
  let isAny = false;
  const mark = (arc: number, from: number) => {
    isAny = true;
    found.arcs[arc] = 1;
    found.cells.add(tile.nodeCell[tile.headOf(from)]);
  };
  const profiles = new Set<EdgeProfile>();
  for (const { profile, turn } of subjects) {
    if (turn) {
      const arc = arcBetween(arcs, turn.from, turn.to);
      if (arc >= 0) mark(arc, turn.from);
    } else {
      const own = tile.profiles[profile];
      const passage = variant ? variant.passage(own, mode) : own.passages[mode];
      if (passage.hours) profiles.add(own);
    }
  }
  if (profiles.size > 0) {
    for (let edge = 0; edge < tile.edgeCount; edge++) {
      if (!profiles.has(tile.profileOf(edge))) continue;
      isAny = true;
      found.edges[edge] = 1;
    }
    // Leaving a road may depend on the hour, too: only one that is restricted is left for another such one at no cost.
    for (let from = 0; from < tile.edgeCount; from++) {
      for (let arc = arcs.first[from]; arc < arcs.first[from + 1]; arc++) {
        if (found.edges[from] === 1 || found.edges[arcs.to[arc]] === 1) mark(arc, from);
      }
    }
  }
  return isAny ? found : undefined;
}
