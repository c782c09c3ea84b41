import { type Coordinate, parseCoordinate } from "../../geo/coordinate.ts";
import type { Language } from "../entry/entry.ts";
import { type LetterO, readDegrees } from "./degrees.ts";
import { readGrid } from "./mgrs.ts";
import { decodePlusCode, plusCodeKind } from "./plus-code.ts";

/** Reading of a query that is not an address. */
export type PointReading =
  /** Positions; `sure` if the text cannot also be an address. */
  | { kind: "point"; locations: readonly Coordinate[]; sure: boolean }
  /** A short plus code, and the town it is to be read near: "" for around the caller. */
  | { kind: "short"; code: string; reference: string }
  /** A text inside a URI, and where to search. */
  | { kind: "text"; text: string; near?: Coordinate };

/** "O" by the requested language. */
const LETTER_O: Partial<Record<Language, LetterO>> = { de: "east", es: "west", fr: "west", pt: "west" };

/** "GVCW+RR London" */
const LETTERS_ONLY = /(?<![^\s,])[CFGHJMPQRVWX]{4,8}\+[CFGHJMPQRVWX]{2,3}(?![^\s,])/i;

/** Longer texts are addresses; a link from a map may be longer. */
const MAX_LINK = 256;

/**
 * Reads a position in any usual notation: degrees (degrees.ts), plus codes, UTM and MGRS, `geo:` URIs (RFC 5870, with
 * Android's `?q=`), well-known text, and links to maps. Undefined for everything else.
 */
export function readPoint(text: string, language: Language): PointReading | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LINK) return undefined;
  // Most queries are addresses: of the formats below, only a plus code may lack digits.
  if (!/\p{Nd}/u.test(trimmed)) return LETTERS_ONLY.test(trimmed) ? readPlusCode(trimmed) : undefined;
  return (
    readGeoUri(trimmed) ??
    readLink(trimmed) ??
    readWellKnownText(trimmed) ??
    readPlusCode(trimmed) ??
    asPoint(readGrid(trimmed)) ??
    asPoint(readDegrees(trimmed, LETTER_O[language]))
  );
}

function asPoint(read: { locations: Coordinate[]; sure: boolean } | undefined): PointReading | undefined {
  return read && { kind: "point", ...read };
}

const point = (location: Coordinate | undefined): PointReading | undefined =>
  location && { kind: "point", locations: [location], sure: true };

/** `geo:40.7,-74;u=10`, `geo:0,0?q=40.7,-74(Label)`, `geo:40.7,-74?q=coffee` */
function readGeoUri(text: string): PointReading | undefined {
  const uri = /^geo:([^?;]*)(?:;[^?]*)?(?:\?(.*))?$/i.exec(text);
  if (!uri) return undefined;
  const at = parseCoordinate(uri[1].split(",").slice(0, 2).join(","));
  const query = new URLSearchParams(uri[2] ?? "").get("q")?.trim() ?? "";
  if (query === "") return point(at);
  const asked = parseCoordinate(query.replace(/\(.*\)$/, ""));
  if (asked) return point(asked);
  // 0,0 stands for nowhere.
  const near = at && (at.latitude !== 0 || at.longitude !== 0) ? at : undefined;
  return { kind: "text", text: query, ...(near && { near }) };
}

const NUMBER = "(-?\\d{1,3}(?:\\.\\d+)?)";
const LINKS: readonly RegExp[] = [
  new RegExp(
    `[?&](?:q|query|ll|sll|center|destination|daddr)=(?:loc:)?${NUMBER}(?:,|%2C)\\+?(?:%20)?${NUMBER}(?![\\d.])`,
    "i",
  ),
  new RegExp(`[?&]mlat=${NUMBER}&mlon=${NUMBER}`, "i"),
  new RegExp(`!3d${NUMBER}!4d${NUMBER}`),
  new RegExp(`/@${NUMBER},${NUMBER},`),
  new RegExp(`#map=[\\d.]+/${NUMBER}/${NUMBER}`),
];

/** A link copied from a map. */
function readLink(text: string): PointReading | undefined {
  if (!/^https?:\/\/\S+$/i.test(text)) return undefined;
  for (const link of LINKS) {
    const found = link.exec(text);
    const at = found && parseCoordinate(`${found[1]},${found[2]}`);
    if (at) return point(at);
  }
  return undefined;
}

const WELL_KNOWN_TEXT = new RegExp(
  `^(?:SRID=4326;\\s*)?POINT\\s*Z?\\s*\\(\\s*${NUMBER}\\s+${NUMBER}(?:\\s+${NUMBER})?\\s*\\)$`,
  "i",
);

/** `POINT(-74.006 40.7143)`: longitude first. */
function readWellKnownText(text: string): PointReading | undefined {
  const found = WELL_KNOWN_TEXT.exec(text);
  return found ? point(parseCoordinate(`${found[2]},${found[1]}`)) : undefined;
}

/** A code alone, or with a town before or after it. */
function readPlusCode(text: string): PointReading | undefined {
  if (!text.includes("+")) return undefined;
  const words = text.split(/[\s,]+/);
  for (const at of [0, words.length - 1]) {
    const code = words[at];
    const kind = plusCodeKind(code);
    if (kind === undefined) continue;
    const rest = text.replace(code, " ").replace(/^[\s,]+|[\s,]+$/g, "");
    if (kind === "short") return { kind, code, reference: rest };
    return point(decodePlusCode(code).center);
  }
  return undefined;
}
