import { type Pace, unpaced } from "../../geo/pace.ts";

/** Context of one query to the roads, in addition to its parameters. */
export interface QueryContext {
  /** How its work yields to others; units are about a microsecond. */
  pace: Pace;
  /** Called with the key of every object that cannot be read, once per query. */
  missed(key: string): void;
}

/** Never yields and does not report missing objects: for tests, tools and short queries. */
export const unpacedContext = (): QueryContext => ({ pace: unpaced(), missed: () => undefined });
