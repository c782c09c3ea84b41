import type { Random } from "./insertion.ts";
import type { Model } from "./model.ts";
import type { Tour } from "./tour.ts";

/** As the authors have them: stops removed on average, the longest string, and how strings are split. */
const REMOVED = 10;
const MAX_LENGTH = 10;
const SPLIT = 0.5;
const LONGER_GAP = 0.01;

/**
 * Adjacent string removal (Christiaens & Vanden Berghe 2020, "Slack Induction by String Removals for Vehicle Routing
 * Problems"): around a random stop each tour nearby loses a string of stops that follow each other, or one with a gap
 * in it, so that several tours can change at one place.
 *
 * @param tourOf by node: its tour, or -1
 * @param drop called for each node to remove
 * @returns the tours that lose nodes
 */
export function removeStrings(
  model: Model,
  tours: readonly Tour[],
  tourOf: Int32Array,
  random: Random,
  drop: (node: number) => void,
): number[] {
  let used = 0;
  let stops = 0;
  for (const { count } of tours) {
    if (count === 0) continue;
    used++;
    stops += count;
  }
  if (used === 0) return [];
  const longest = Math.min(MAX_LENGTH, stops / used);
  const most = (4 * REMOVED) / (1 + longest) - 1;
  const strings = Math.floor(1 + random() * most);
  const ruined: number[] = [];
  const seed = Math.floor(random() * model.nodes);
  for (const node of model.nearTo(seed)) {
    if (ruined.length >= strings) break;
    const tour = tourOf[node];
    if (tour < 0 || ruined.includes(tour)) continue;
    ruined.push(tour);
    const { count, nodes } = tours[tour];
    const length = Math.floor(1 + random() * Math.min(count, longest));
    const at = nodes.indexOf(node);
    let gap = 0;
    if (length > 1 && length < count && random() < SPLIT) {
      gap = 1;
      while (length + gap < count && random() < LONGER_GAP) gap++;
    }
    const whole = length + gap;
    const least = Math.max(0, at - whole + 1);
    const first = least + Math.floor(random() * (Math.min(at, count - whole) - least + 1));
    const gapAt = gap > 0 ? first + 1 + Math.floor(random() * (length - 1)) : first;
    for (let k = first; k < first + whole; k++) if (k < gapAt || k >= gapAt + gap) drop(nodes[k]);
  }
  return ruined;
}
