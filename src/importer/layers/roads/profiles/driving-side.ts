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

/** Side length of the squares in which the side is looked up once [degrees]. */
const SQUARE = 0.05;

/** Tells where traffic keeps left, by the country a point is in. */
export function leftHandTraffic(): (at: Coordinate) => boolean {
  const rings = countryShapes()
    .filter(({ code }) => KEEP_LEFT.has(code))
    .flatMap((shape) => shape.rings)
    .map((ring) => ({ ring, ...boxOf(ring) }));
  const known = new Map<string, boolean>();
  return ({ latitude, longitude }) => {
    const row = Math.floor(latitude / SQUARE);
    const column = Math.floor(longitude / SQUARE);
    const key = `${row},${column}`;
    let left = known.get(key);
    if (left === undefined) {
      const y = (row + 0.5) * SQUARE;
      const x = (column + 0.5) * SQUARE;
      const holds = (atY: number, atX: number) =>
        rings.some(
          ({ ring, south, north, west, east }) =>
            atY >= south && atY <= north && atX >= west && atX <= east && ringContains(ring, atY, atX),
        );
      // Coasts are drawn coarsely: a square whose middle is in the sea may still hold roads of the land next to it.
      left = holds(latitude, longitude) || holds(y, x) || corners(y, x).some(([atY, atX]) => holds(atY, atX));
      known.set(key, left);
    }
    return left;
  };
}

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
