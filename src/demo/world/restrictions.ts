import type { Draft } from "./sheet.ts";
import type { Site } from "./site.ts";

interface Arm {
  draft: Draft;
  /** Next node out of the junction. */
  next: number;
  /** The road may be driven into the junction along this arm, and out of it. */
  inward: boolean;
  outward: boolean;
  /** Direction of the arm away from the junction [radians]. */
  angle: number;
}

/** Turn restrictions of the kinds found in the wild, a few of each at junctions drawn by lot. */
export function restrictTurns(site: Site, share: number): void {
  const arms = junctions(site);
  const fourWay = [...arms].filter(([, list]) => list.length === 4).sort(([a], [b]) => a - b);
  let turn = 0;
  for (const [via, list] of fourWay) {
    if (!site.draw.chance(share)) continue;
    const from = list.find(({ inward }) => inward);
    if (!from) continue;
    const outs = list.filter((arm) => arm !== from && arm.outward);
    const straight = outs.find((arm) => Math.abs(turnAngle(from, arm)) < 0.5);
    const right = outs.find((arm) => turnAngle(from, arm) < -0.8);
    const left = outs.find((arm) => turnAngle(from, arm) > 0.8);
    const kind = turn++ % 7;
    if (kind === 0 && left) site.sheet.restrict([from.next, via, left.next], { restriction: "no_left_turn" });
    else if (kind === 1 && right)
      site.sheet.restrict([from.next, via, right.next], { restriction: "no_right_turn", except: "bicycle" });
    else if (kind === 2 && straight)
      site.sheet.restrict([from.next, via, straight.next], { restriction: "only_straight_on" });
    else if (kind === 3 && right)
      site.sheet.restrict([from.next, via, right.next], { restriction: "only_right_turn", except: "bus;bicycle" });
    else if (kind === 4 && straight)
      site.sheet.restrict([from.next, via, straight.next], { restriction: "no_straight_on" });
    else if (kind === 5 && left) {
      site.sheet.restrict([from.next, via, left.next], {
        "restriction:conditional": "no_left_turn @ (Mo-Fr 07:00-09:00,16:00-18:00)",
      });
    } else if (kind === 6 && from.outward)
      site.sheet.restrict([from.next, via, from.next], { restriction: "no_u_turn" });
  }
  noLeftBehindBridge(site, arms);
}

/** Traffic from along the bank may not turn left after the toll bridge: a restriction with the bridge as via way. */
function noLeftBehindBridge(site: Site, arms: ReadonlyMap<number, Arm[]>): void {
  for (const bridge of site.sheet.roads()) {
    if (bridge.tags.bridge !== "yes" || bridge.tags.toll !== "yes") continue;
    const [first, second] = bridge.refs;
    const [last, beforeLast] = [bridge.refs[bridge.refs.length - 1], bridge.refs[bridge.refs.length - 2]];
    const onto = arms.get(first)?.find(({ next }) => next === second);
    const arrival = arms.get(last)?.find(({ next }) => next === beforeLast);
    if (!onto || !arrival) continue;
    const bank = arms.get(first)?.find((arm) => arm.inward && Math.abs(turnAngle(arm, onto)) > 0.8);
    const left = arms.get(last)?.find((arm) => arm.outward && turnAngle(arrival, arm) > 0.8);
    if (bank && left) site.sheet.restrict([bank.next, ...bridge.refs, left.next], { restriction: "no_left_turn" });
  }
}

function junctions(site: Site): Map<number, Arm[]> {
  const arms = new Map<number, Arm[]>();
  const add = (draft: Draft, at: number, next: number, forward: boolean) => {
    const a = site.sheet.planOf(at);
    const b = site.sheet.planOf(next);
    if (!a || !b) return;
    const oneway = draft.tags.oneway === "yes" ? 1 : draft.tags.oneway === "-1" ? -1 : 0;
    const outward = oneway === 0 || (oneway === 1) === forward;
    const inward = oneway === 0 || (oneway === 1) !== forward;
    const list = arms.get(at) ?? [];
    list.push({ draft, next, inward, outward, angle: Math.atan2(b[1] - a[1], b[0] - a[0]) });
    arms.set(at, list);
  };
  for (const draft of site.sheet.roads()) {
    if (!/^(primary|secondary|tertiary|residential|unclassified)$/.test(draft.tags.highway ?? "")) continue;
    draft.refs.forEach((ref, i) => {
      if (i > 0) add(draft, ref, draft.refs[i - 1], false);
      if (i + 1 < draft.refs.length) add(draft, ref, draft.refs[i + 1], true);
    });
  }
  return arms;
}

/** How far a turn bends, left positive [radians, −π … π]. */
function turnAngle(from: Arm, to: Arm): number {
  const bend = to.angle - (from.angle + Math.PI);
  return Math.atan2(Math.sin(bend), Math.cos(bend));
}
