import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { HourlyTiles } from "../../../../core/routing/graph/write-manifest.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import { type Division, tileOfNode } from "../partition/division.ts";

/** The tiles that contain a road or a turn that depends on the hour. */
export function hourlyTiles(graph: RoadGraph, division: Division): HourlyTiles {
  const { pieceStart, pieceEnd, pieceForward, pieceBackward, edges, exceptions } = graph;
  const tiles = new Map<number, number>();
  const add = (node: number, modes: number) => {
    const tile = tileOfNode(division, node);
    tiles.set(tile, (tiles.get(tile) ?? 0) | modes);
  };
  const modesOf = graph.profiles.map(hourlyModes);
  if (modesOf.some((modes) => modes !== 0)) {
    for (let piece = 0; piece < pieceStart.length; piece++) {
      const modes = modesOf[pieceForward[piece]] | modesOf[pieceBackward[piece]];
      if (modes === 0) continue;
      add(pieceStart[piece], modes);
      add(pieceEnd[piece], modes);
    }
  }
  for (const { from, modes, hours } of exceptions) {
    if (!hours) continue;
    const piece = edges.piece[from];
    const changing = hours.entries.reduce((bits, entry) => bits | (modes & ~entry.modes), 0);
    add(edges.along[from] === 1 ? pieceEnd[piece] : pieceStart[piece], changing);
  }
  return [...tiles].sort(([a], [b]) => a - b);
}

const hourlyModes = ({ passages, limited = [] }: EdgeProfile): number =>
  passages.reduce((bits, { hours }, mode) => {
    const own = limited[mode];
    const isHourly = hours || own?.open.hours || own?.limits.some((limit) => limit.hours);
    return bits | (isHourly ? 1 << mode : 0);
  }, 0);
