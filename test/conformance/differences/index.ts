import { GEO_DIFFERENCES } from "./geo.ts";
import { MAPS_DIFFERENCES } from "./maps.ts";
import { ROUTES_DIFFERENCES } from "./routes.ts";

/** A row, and a case that shows the effect of its parameter: test/worker/http/conformance/conformance-*.test.ts send the requests. */
export interface Shown {
  id: string;
  effect: string;
  changes?: string;
  test: string;
}

const TITLE = "$id: $effect";
const shown = (file: string, cases: readonly { id: string; effect: string; changes?: string }[]): Shown[] =>
  cases.map(({ id, effect, changes }) => ({ id, effect, changes, test: `worker/http/conformance/${file} > ${TITLE}` }));

/** The effects of the parameters of geocoding, autocomplete, validation, routes and maps. */
export const DIFFERENCES: readonly Shown[] = [
  ...shown("conformance-geo.test.ts", GEO_DIFFERENCES),
  ...shown("conformance-routes.test.ts", ROUTES_DIFFERENCES),
  ...shown("conformance-maps.test.ts", MAPS_DIFFERENCES),
];
