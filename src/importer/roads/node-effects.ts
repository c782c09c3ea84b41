import type { NodeRecord } from "../../routing/road-record.ts";
import { GATE_BIT } from "../../routing/turn-cost.ts";
import type { Tags } from "../osm/element.ts";
import { blockedModes } from "./barriers.ts";
import { isGate, type Obstacle, obstacleOf } from "./obstacles.ts";
import { nodeRecord } from "./road-records.ts";

/** What a node does to the roads through it. */
export interface NodeEffect {
  blocked: number;
  record: NodeRecord | undefined;
  border: boolean;
  toll: boolean;
  obstacle: Obstacle | undefined;
}

const NO_EFFECT: NodeEffect = { blocked: 0, record: undefined, border: false, toll: false, obstacle: undefined };

function effectOf(tags: Tags | undefined): NodeEffect {
  if (!tags) return NO_EFFECT;
  return {
    blocked: blockedModes(tags) | (isGate(tags) ? GATE_BIT : 0),
    record: nodeRecord(tags),
    border: tags.barrier === "border_control",
    toll: tags.barrier === "toll_booth",
    obstacle: obstacleOf(tags),
  };
}

/** The effects of nodes by their number, each found once. */
export class NodeEffects {
  readonly #special: ReadonlyMap<number, Tags>;
  readonly #known = new Map<number, NodeEffect>();

  constructor(special: ReadonlyMap<number, Tags>) {
    this.#special = special;
  }

  of(number: number): NodeEffect {
    const tags = this.#special.get(number);
    if (!tags) return NO_EFFECT;
    let known = this.#known.get(number);
    if (!known) {
      known = effectOf(tags);
      this.#known.set(number, known);
    }
    return known;
  }

  /** Must roads be cut here, wherever they cross? */
  cuts(number: number): boolean {
    const { blocked, border, toll, obstacle, record } = this.of(number);
    return blocked !== 0 || border || toll || obstacle !== undefined || record !== undefined;
  }
}
