/** OpenStreetMap elements as the parts of the importer pass them on. Ids are OSM's own; order within a file is free. */
export type Tags = Readonly<Record<string, string>>;

export interface OsmNode {
  type: "node";
  id: number;
  latitude: number;
  longitude: number;
  tags: Tags;
}

/** Stands in a way's line, as longitude and as latitude, for a node that no extract has. */
export const NO_PLACE = -2147483648;

export interface OsmWay {
  type: "way";
  id: number;
  refs: readonly number[];
  tags: Tags;
  /**
   * Where its nodes are: [longitude, latitude, longitude, latitude …] in 1e-7 degrees, a pair per ref, NO_PLACE twice
   * where no extract has the node. Ways of a layer's input carry it, and those of a file with LocationsOnWays.
   */
  line?: Int32Array;
}

export interface OsmMember {
  type: "node" | "way" | "relation";
  ref: number;
  role: string;
}

export interface OsmRelation {
  type: "relation";
  id: number;
  members: readonly OsmMember[];
  tags: Tags;
}

/** A way that is a member of a relation, where its nodes are among it. */
export interface MemberLine {
  /** Of the way. */
  id: number;
  /** Its place in `relation.members`. */
  member: number;
  refs: readonly number[];
  /** As OsmWay.line. */
  line: Int32Array;
}

export type OsmElement = OsmNode | OsmWay | OsmRelation;
