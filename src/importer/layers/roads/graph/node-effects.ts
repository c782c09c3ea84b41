import { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { NodeRecord } from "../../../../core/routing/graph/road-record.ts";
import { GATE_BIT, LIFT_BIT } from "../../../../core/routing/graph/turn-cost.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { nodeRecord } from "../profiles/road-records.ts";
import { blockedByHour, type TimedBarrier } from "./barriers.ts";
import { isGate, type Obstacle, obstacleOf } from "./obstacles.ts";

/** Effects of a node on the roads through it. */
export interface NodeEffect {
  blocked: number;
  /** Modes that are blocked at some hours only. */
  timed?: readonly TimedBarrier[] | undefined;
  record: NodeRecord | undefined;
  border: boolean;
  toll: boolean;
  obstacle: Obstacle | undefined;
}

export const NO_EFFECT: NodeEffect = {
  blocked: 0,
  record: undefined,
  border: false,
  toll: false,
  obstacle: undefined,
};

export function effectOf(tags: Tags): NodeEffect {
  const { blocked, timed } = blockedByHour(tags);
  return {
    blocked: blocked | (isGate(tags) ? GATE_BIT : 0) | (tags.highway === "elevator" ? LIFT_BIT : 0),
    ...(timed && { timed }),
    record: nodeRecord(tags),
    border: tags.barrier === "border_control",
    toll: tags.barrier === "toll_booth",
    obstacle: obstacleOf(tags),
  };
}

/** The different effects that nodes have, numbered; 0 is none. Where there is one, roads are cut, wherever they cross. */
export class NodeEffects {
  readonly #known = new Interned<NodeEffect>(JSON.stringify, [NO_EFFECT]);

  add(effect: NodeEffect): number {
    return this.#known.add(effect);
  }

  get(number: number): NodeEffect {
    return this.#known.values[number];
  }
}
