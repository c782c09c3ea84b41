import type { DataSource } from "../geo/builds/manifest.ts";

/** Reports a kind of data that an answer has to do without. */
export type LeftOut = (what: string) => void;

/** Reports sources of an answer, whose licences may want to be named. */
export type Credit = (sources: readonly DataSource[]) => void;
