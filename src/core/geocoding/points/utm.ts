import { type Coordinate, isCoordinate } from "../../geo/coordinate.ts";

/**
 * Universal Transverse Mercator on WGS 84, by the series of Krüger (1912) to the sixth order in the third flattening,
 * with the terms of Karney (2011): accurate to a micrometer within a zone.
 */
const A = 6_378_137;
const F = 1 / 298.257223563;
const N = F / (2 - F);
const K0 = 0.9996;
const E = Math.sqrt(F * (2 - F));
const RADIUS = (A / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);
const FALSE_EASTING = 500_000;
const FALSE_NORTHING = 10_000_000;

const ALPHA = [
  N / 2 - (2 * N ** 2) / 3 + (5 * N ** 3) / 16 + (41 * N ** 4) / 180 - (127 * N ** 5) / 288 + (7891 * N ** 6) / 37800,
  (13 * N ** 2) / 48 - (3 * N ** 3) / 5 + (557 * N ** 4) / 1440 + (281 * N ** 5) / 630 - (1983433 * N ** 6) / 1935360,
  (61 * N ** 3) / 240 - (103 * N ** 4) / 140 + (15061 * N ** 5) / 26880 + (167603 * N ** 6) / 181440,
  (49561 * N ** 4) / 161280 - (179 * N ** 5) / 168 + (6601661 * N ** 6) / 7257600,
  (34729 * N ** 5) / 80640 - (3418889 * N ** 6) / 1995840,
  (212378941 * N ** 6) / 319334400,
];
const BETA = [
  N / 2 - (2 * N ** 2) / 3 + (37 * N ** 3) / 96 - N ** 4 / 360 - (81 * N ** 5) / 512 + (96199 * N ** 6) / 604800,
  N ** 2 / 48 + N ** 3 / 15 - (437 * N ** 4) / 1440 + (46 * N ** 5) / 105 - (1118711 * N ** 6) / 3870720,
  (17 * N ** 3) / 480 - (37 * N ** 4) / 840 - (209 * N ** 5) / 4480 + (5569 * N ** 6) / 90720,
  (4397 * N ** 4) / 161280 - (11 * N ** 5) / 504 - (830251 * N ** 6) / 7257600,
  (4583 * N ** 5) / 161280 - (108847 * N ** 6) / 3991680,
  (20648693 * N ** 6) / 638668800,
];

export interface Utm {
  zone: number;
  south: boolean;
  /** [m] */
  easting: number;
  northing: number;
}

const middleOf = (zone: number) => ((zone * 6 - 183) * Math.PI) / 180;

export function fromUtm({ zone, south, easting, northing }: Utm): Coordinate | undefined {
  const xi = (northing - (south ? FALSE_NORTHING : 0)) / (K0 * RADIUS);
  const eta = (easting - FALSE_EASTING) / (K0 * RADIUS);
  let [x, y] = [xi, eta];
  BETA.forEach((beta, i) => {
    const k = 2 * (i + 1);
    x -= beta * Math.sin(k * xi) * Math.cosh(k * eta);
    y -= beta * Math.cos(k * xi) * Math.sinh(k * eta);
  });
  const conformal = Math.sin(x) / Math.hypot(Math.sinh(y), Math.cos(x));
  // Newton's method from the conformal latitude to the true one (Karney 2011, equations 19 to 21).
  let tangent = conformal;
  for (let i = 0; i < 8; i++) {
    const sigma = Math.sinh(E * Math.atanh((E * tangent) / Math.hypot(1, tangent)));
    const guess = tangent * Math.hypot(1, sigma) - sigma * Math.hypot(1, tangent);
    const step =
      ((conformal - guess) / Math.hypot(1, guess)) *
      ((1 + (1 - E * E) * tangent ** 2) / ((1 - E * E) * Math.hypot(1, tangent)));
    tangent += step;
    if (Math.abs(step) < 1e-15) break;
  }
  const latitude = (Math.atan(tangent) * 180) / Math.PI;
  const longitude = ((middleOf(zone) + Math.atan2(Math.sinh(y), Math.cos(x))) * 180) / Math.PI;
  return isCoordinate(latitude, longitude) ? { latitude, longitude } : undefined;
}

export function toUtm({ latitude, longitude }: Coordinate, zone = zoneOf({ latitude, longitude })): Utm {
  const phi = (latitude * Math.PI) / 180;
  const lambda = (longitude * Math.PI) / 180 - middleOf(zone);
  const tangent = Math.tan(phi);
  const sigma = Math.sinh(E * Math.atanh((E * tangent) / Math.hypot(1, tangent)));
  const conformal = tangent * Math.hypot(1, sigma) - sigma * Math.hypot(1, tangent);
  const xi = Math.atan2(conformal, Math.cos(lambda));
  const eta = Math.asinh(Math.sin(lambda) / Math.hypot(conformal, Math.cos(lambda)));
  let [x, y] = [xi, eta];
  ALPHA.forEach((alpha, i) => {
    const k = 2 * (i + 1);
    x += alpha * Math.sin(k * xi) * Math.cosh(k * eta);
    y += alpha * Math.cos(k * xi) * Math.sinh(k * eta);
  });
  const south = latitude < 0;
  return {
    zone,
    south,
    easting: K0 * RADIUS * y + FALSE_EASTING,
    northing: K0 * RADIUS * x + (south ? FALSE_NORTHING : 0),
  };
}

/** The zone of a point, with the exceptions around Norway (32V) and Svalbard (31X to 37X). */
function zoneOf({ latitude, longitude }: Coordinate): number {
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) return 32;
  if (latitude >= 72 && latitude < 84 && longitude >= 0 && longitude < 42) {
    return longitude < 9 ? 31 : longitude < 21 ? 33 : longitude < 33 ? 35 : 37;
  }
  return Math.min(60, Math.floor((longitude + 180) / 6) + 1);
}

/** Latitude bands of 8 degrees from 80° S, without I and O. X has 12 degrees. */
const BANDS = "CDEFGHJKLMNPQRSTUVWX";
export const bandOf = (latitude: number) => BANDS[Math.max(0, Math.min(19, Math.floor((latitude + 80) / 8)))];

/** The latitudes of a band, from south to north. */
export function bandRange(band: string): [south: number, north: number] {
  const south = BANDS.indexOf(band) * 8 - 80;
  return [south, band === "X" ? 84 : south + 8];
}

export const isBand = (letter: string) => letter.length === 1 && BANDS.includes(letter);
