import { BIKE, CAR, TRUCK } from "../../../../core/routing/graph/modes.ts";
import { BEARING_STEPS } from "../../../../core/routing/graph/turn-cost.ts";
import type { RestrictedPath } from "./restrictions.ts";

const VEHICLES = (1 << CAR) | (1 << TRUCK) | (1 << BIKE);

/**
 * The directed edges. Bearings [1/256 turn]: at which an edge leaves its tail, arrives at its head.
 */
interface RingView {
  count: number;
  tail: (edge: number) => number;
  head: (edge: number) => number;
  /** Part of a roundabout, which vehicles drive in this direction alone? */
  onRing: (edge: number) => boolean;
  sameRoad: (a: number, b: number) => boolean;
  bearingOut: (edge: number) => number;
  bearingIn: (edge: number) => number;
}

/**
 * Where two arms meet a roundabout at one point, no one turns from the one to the other against its traffic, however
 * short the way (rule: OSRM, BSD-2-Clause, extractor/intersection/intersection_analysis.cpp).
 *
 *        in   out                     out   in
 *          \  /                         \  /
 *     ◀─────●─────◀  ring          ◀─────●─────◀        in → out is closed on the left: one drives all the way round
 */
export function closedAcrossRings(view: RingView): RestrictedPath[] {
  const rings = new Map<number, { entering: number[]; leaving: number[]; ringIn: number; ringOut: number }>();
  for (let edge = 0; edge < view.count; edge++) {
    if (!view.onRing(edge)) continue;
    for (const node of [view.tail(edge), view.head(edge)]) {
      if (!rings.has(node)) rings.set(node, { entering: [], leaving: [], ringIn: -1, ringOut: -1 });
    }
  }
  for (let edge = 0; edge < view.count; edge++) {
    const ring = view.onRing(edge);
    const from = rings.get(view.tail(edge));
    const to = rings.get(view.head(edge));
    if (ring && from) from.ringOut = edge;
    else from?.leaving.push(edge);
    if (ring && to) to.ringIn = edge;
    else to?.entering.push(edge);
  }
  const closed: RestrictedPath[] = [];
  for (const { entering, leaving, ringIn, ringOut } of rings.values()) {
    if (ringIn < 0 || ringOut < 0) continue;
    const around = angle(view.bearingIn(ringIn), view.bearingOut(ringOut));
    for (const a of entering) {
      const from = angle(view.bearingIn(ringIn), view.bearingIn(a) + BEARING_STEPS / 2);
      for (const b of leaving) {
        if (view.sameRoad(a, b)) continue;
        const to = angle(view.bearingIn(ringIn), view.bearingOut(b));
        const against = from < around ? to < from : from > around && to > from;
        if (against) closed.push({ path: [a, b], only: false, modes: VEHICLES });
      }
    }
  }
  return closed;
}

/** Angle between a heading and a direction, from sharp right (1) over straight on (128) to sharp left (255). */
function angle(heading: number, direction: number): number {
  return (heading - direction + BEARING_STEPS * 1.5 + BEARING_STEPS) % BEARING_STEPS;
}
