import type { DataSource } from "../../core/geo/builds/manifest.ts";

/** Reports a kind of data that is omitted from a response. */
export type LeftOut = (what: string) => void;

/** Reports sources of a response, whose licenses may require attribution. */
export type Credit = (sources: readonly DataSource[]) => void;
