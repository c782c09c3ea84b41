import type { Coordinate } from "../../geo/coordinate.ts";
import { bandOf, bandRange, fromUtm, isBand, toUtm } from "./utm.ts";

/**
 * UTM and the Military Grid Reference System as text (NGA.STND.0037, 2014):
 *
 *     33U 391545 5820013      33U UU 91545 20013      33UUU9154520013      18TWL8393706672
 *
 * A grid reference is a square of 1 to 1000 m; its center is the position.
 */
const SQUARE = 100_000;
const COLUMNS = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ"];
const ROWS = "ABCDEFGHJKLMNPQRSTUV";

export interface GridReading {
  locations: Coordinate[];
  sure: boolean;
}

const UTM = /^(\d{1,2})\s*([A-Z])\s+(\d{6}(?:\.\d+)?)\s*(?:m?\s?E)?[\s,]+(\d{1,8}(?:\.\d+)?)\s*(?:m?\s?N)?$/i;
const MGRS = /^(\d{1,2})\s*([C-HJ-NP-X])\s*([A-HJ-NP-Z])([A-HJ-NP-V])\s*((?:\d{2}){2,5}|\d{2,5}\s+\d{2,5})$/i;

export function readGrid(text: string): GridReading | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 40) return undefined;
  return readUtm(trimmed) ?? readMgrs(trimmed);
}

function readUtm(text: string): GridReading | undefined {
  const parts = UTM.exec(text);
  if (!parts) return undefined;
  const [zone, band, easting, northing] = [
    Number(parts[1]),
    parts[2].toUpperCase(),
    Number(parts[3]),
    Number(parts[4]),
  ];
  if (zone < 1 || zone > 60 || !isBand(band) || easting < 100_000 || easting >= 900_000 || northing > 10_000_000)
    return undefined;
  const north = fromUtm({ zone, south: false, easting, northing });
  const south = fromUtm({ zone, south: true, easting, northing });
  // "S" is a band of the north, but many write it for the south: northings fit one band only.
  const [low, high] = bandRange(band);
  const inBand = (at: Coordinate | undefined) => at && at.latitude >= low - 0.5 && at.latitude <= high + 0.5;
  if (band >= "N" && inBand(north)) return { locations: [north!], sure: true };
  if (band < "N" && inBand(south)) return { locations: [south!], sure: true };
  if (band === "S" && south && northing > 1_100_000) return { locations: [south], sure: true };
  return band === "N" && north && north.latitude <= 84 ? { locations: [north], sure: true } : undefined;
}

function readMgrs(text: string): GridReading | undefined {
  const parts = MGRS.exec(text);
  if (!parts) return undefined;
  const zone = Number(parts[1]);
  const [band, column, row] = [parts[2], parts[3], parts[4]].map((letter) => letter.toUpperCase());
  const spaced = parts[5].split(/\s+/);
  const digits =
    spaced.length === 2 ? spaced : [parts[5].slice(0, parts[5].length / 2), parts[5].slice(parts[5].length / 2)];
  if (zone < 1 || zone > 60 || digits[0].length !== digits[1].length) return undefined;
  const square = COLUMNS[(zone - 1) % 3].indexOf(column);
  if (square < 0) return undefined;
  const size = 10 ** (5 - digits[0].length);
  const easting = (square + 1) * SQUARE + Number(digits[0]) * size + size / 2;
  const within = rowOf(zone, row) * SQUARE + Number(digits[1]) * size + size / 2;
  const [low, high] = bandRange(band);
  const south = band < "N";
  // Rows repeat every 2,000 km: find the one in the band.
  for (let northing = within; northing < 10_000_000; northing += ROWS.length * SQUARE) {
    const location = fromUtm({ zone, south, easting, northing });
    if (location && location.latitude >= low - 1 && location.latitude <= high + 1)
      return { locations: [location], sure: digits[0].length > 2 };
  }
  return undefined;
}

/** Even zones begin five rows later. */
const rowOf = (zone: number, row: string) => (ROWS.indexOf(row) + (zone % 2 === 0 ? ROWS.length - 5 : 0)) % ROWS.length;

/** The grid reference of a point between 80° S and 84° N; `digits` for each of easting and northing. */
export function encodeMgrs(at: Coordinate, digits = 5): string {
  const { zone, easting, northing } = toUtm(at);
  const column = COLUMNS[(zone - 1) % 3][Math.floor(easting / SQUARE) - 1];
  const row = ROWS[(Math.floor(northing / SQUARE) + (zone % 2 === 0 ? 5 : 0)) % ROWS.length];
  const text = (metres: number) => `${Math.floor(metres % SQUARE)}`.padStart(5, "0").slice(0, digits);
  return `${zone}${bandOf(at.latitude)}${column}${row}${text(easting)}${text(northing)}`;
}
