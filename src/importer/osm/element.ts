/** OpenStreetMap elements as the parts of the importer pass them on. Ids are OSM's own; order within a file is free. */
export type Tags = Readonly<Record<string, string>>;

export interface OsmNode {
  type: "node";
  id: number;
  latitude: number;
  longitude: number;
  tags: Tags;
}

export interface OsmWay {
  type: "way";
  id: number;
  refs: readonly number[];
  tags: Tags;
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

export type OsmElement = OsmNode | OsmWay | OsmRelation;
