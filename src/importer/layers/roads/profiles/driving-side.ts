import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { ringContains } from "../../../../core/geo/shapes/polygon.ts";
import { countryShapes } from "../../../world/countries.ts";

/**
 * Countries and territories where traffic keeps left (ISO 3166-1), after the list of the Vienna Convention's
 * contracting parties and national law as gathered in the public table "Left- and right-hand traffic" of Wikidata
 * (property P1622).
 */
const KEEP_LEFT = new Set(
  (
    "AG AI AU BB BD BM BN BS BT BW CC CK CX CY DM FJ FK GB GD GG GY HK ID IE IM IN JE JM JP KE KI KN KY LC LK LS MO MS MT MU MV " +
    "MW MY MZ NA NF NP NR NU NZ PG PK PN SB SC SG SH SR SZ TC TH TK TL TO TT TV TZ UG VC VG VI WS ZA ZM ZW"
  ).split(" "),
);

/** Side length of the squares in which the country is looked up once, and of those at borders [degrees]. */
const SQUARE = 0.05;
const SMALL_SQUARE = 0.002;

/** Tells the country (ISO 3166-1) that a point is in, the same one for all points of a square that holds no border. */
export function countryFinder(): (at: Coordinate) => string | undefined {
  const rings = countryShapes().flatMap(({ code, rings: own }) => own.map((ring) => ({ code, ring, ...boxOf(ring) })));
  const at = (y: number, x: number) =>
    rings.find(
      ({ ring, south, north, west, east }) =>
        y >= south && y <= north && x >= west && x <= east && ringContains(ring, y, x),
    )?.code;
  const near = new Map<string, string | undefined>();
  const nearBorder = (latitude: number, longitude: number) => {
    const [row, column] = [Math.floor(latitude / SMALL_SQUARE), Math.floor(longitude / SMALL_SQUARE)];
    const key = `${row},${column}`;
    if (!near.has(key)) near.set(key, at((row + 0.5) * SMALL_SQUARE, (column + 0.5) * SMALL_SQUARE));
    return near.get(key);
  };
  /** By square: its country, or null if there are several. */
  const known = new Map<string, string | undefined | null>();
  return ({ latitude, longitude }) => {
    const row = Math.floor(latitude / SQUARE);
    const column = Math.floor(longitude / SQUARE);
    const key = `${row},${column}`;
    let code = known.get(key);
    if (code === undefined && !known.has(key)) {
      const [y, x] = [(row + 0.5) * SQUARE, (column + 0.5) * SQUARE];
      // Coasts are drawn coarsely: a square whose middle is in the sea may still hold roads of the land next to it.
      const around = [at(y, x), ...corners(y, x).map(([atY, atX]) => at(atY, atX))];
      const codes = new Set(around.filter((one) => one !== undefined));
      code = codes.size > 1 ? null : [...codes][0];
      known.set(key, code);
    }
    return code === null ? nearBorder(latitude, longitude) : code;
  };
}

/** Does traffic keep left in a country? */
export const keepsLeft = (country: string | undefined): boolean => country !== undefined && KEEP_LEFT.has(country);

const corners = (y: number, x: number) =>
  [-SQUARE, SQUARE].flatMap((dy) => [-SQUARE, SQUARE].map((dx) => [y + dy, x + dx] as const));

function boxOf(ring: readonly (readonly number[])[]) {
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  for (const [x, y] of ring) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return { west, south, east, north };
}
