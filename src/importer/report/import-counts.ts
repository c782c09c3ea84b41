/** Estimated amounts of an import, from a sample of the blobs of its extracts. */
export interface ImportCounts {
  /** Of all extracts. */
  bytes: number;
  nodes: number;
  ways: number;
  relations: number;
  /** Ways with a highway, and the nodes they name. */
  roads: number;
  roadNodes: number;
  /** Directed edges of the road graph. */
  edges: number;
  /** Nodes that all ways name, one for each time. */
  wayNodes: number;
  /** Elements with a house number. */
  addresses: number;
  /** Elements that are something to go to: a shop, an amenity … */
  pois: number;
}

export const NOTHING: ImportCounts = {
  bytes: 0,
  nodes: 0,
  ways: 0,
  relations: 0,
  roads: 0,
  roadNodes: 0,
  edges: 0,
  wayNodes: 0,
  addresses: 0,
  pois: 0,
};

/** Forecast of the resources of an import, in bytes and seconds. */
export interface Forecast {
  counts: ImportCounts;
  memory: {
    given: number;
    /** The smallest --memory that will do, and the layer (or "reading") that asks for most. */
    least: number;
    layer?: string;
  };
  disk: {
    /** The most that the work folder will hold. */
    work: number;
    published: number;
    /** Cache for the next update; absent without a cache. */
    kept?: number;
  };
  /** By what this machine took before, else by a reference. */
  seconds?: number;
  /** Of that, the seconds of each phase, or of the steps of those that have some ("roads: graph"), in their order. */
  phases?: Record<string, number>;
}
