import type { Coordinate } from "../../geo/coordinate.ts";
import type { Tags } from "../osm/element.ts";
import type { OperatorSpeeds } from "./apply-speeds.ts";
import type { BorderLines } from "./borders.ts";
import type { Restriction } from "./restrictions.ts";
import type { Rules } from "./rules.ts";

export interface GraphOptions {
  /** Does traffic keep left here? A `driving_side` tag goes before it. Right when absent. */
  leftHand?: (at: Coordinate) => boolean;
  /** What an operator knows of the speeds on roads. */
  speeds?: OperatorSpeeds;
}

export interface RoadWay {
  id: number;
  refs: readonly number[];
  tags: Tags;
  rules: Rules[];
}

/** What was collected of an extract before the graph is assembled. Places are in units of MICRO. */
export interface CollectedRoads {
  readonly options: GraphOptions;
  readonly ways: readonly RoadWay[];
  readonly restrictions: readonly Restriction[];
  readonly borders: BorderLines;
  /** OSM id of a node → its number here. */
  readonly numbers: ReadonlyMap<number, number>;
  /** By number: how many roads meet; ends and crossings of roads have more than 1. */
  readonly uses: readonly number[];
  /** By number; undefined where the extract lacks the node. */
  readonly latitude: readonly number[];
  readonly longitude: readonly number[];
  /** Tags of the nodes that have any. */
  readonly special: ReadonlyMap<number, Tags>;
}
