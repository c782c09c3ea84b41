import type { ImportCounts } from "../../report/import-counts.ts";

/** Of a corner of an outline: packed 8 bytes, as an edge 20, in the lists of edges by cell 16. */
const BYTES_PER_CORNER = 44;
/** Of the nodes that ways name, this share is assumed to be corners of regions: an assumption, on the safe side. */
const CORNERS = 0.02;

export const minMemoryOfOutlines = (wayNodes: number): number => BYTES_PER_CORNER * CORNERS * wayNodes;

/** Bytes that the regions of so much data need at least: outlines of the base and of the extracts. */
export const minMemoryOfRegions = ({ wayNodes }: ImportCounts): number => 100_000_000 + minMemoryOfOutlines(wayNodes);
