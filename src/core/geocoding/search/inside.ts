import { haversine } from "../../geo/distance.ts";
import { widthOfArea } from "../entry/areas.ts";
import { type Context, type EntryKind, GRID } from "../entry/entry.ts";
import { contextWords } from "../parse/context-words.ts";
import { isSubdivisionCode } from "../parse/subdivision-codes.ts";
import { type Anchor, isCode, type NamedRegion, type Spot } from "./named-region.ts";
import { isNear } from "./towns.ts";

/** Returns whether it is a code of a country's own that no region in the data has: "Kraków MA". */
export function isOwnCode(span: Pick<Anchor, "words" | "regions">, { countryCode }: Context): boolean {
  return (
    isCode(span) &&
    isSubdivisionCode(span.words[0], countryCode) &&
    !span.regions.some(({ kind, context }) => kind === "state" && context.countryCode === countryCode)
  );
}

/** Returns whether a position is surely in a region: by its own state's code, or near the middle of the state. */
export function isSurelyIn(spot: Spot, region: NamedRegion): boolean {
  if (region.kind !== "state" || spot.context.stateCode === region.context.stateCode) return true;
  return !WITH_STATES.has(region.context.countryCode) && isWellInside(spot, region);
}

/** Returns whether a result is in a region of every anchor. */
export function isInside(spot: Spot, anchors: readonly Anchor[]): boolean {
  return anchors.every((anchor) => isInsideOne(spot, anchor));
}

export function isInsideOne(spot: Spot, anchor: Anchor): boolean {
  return (
    (spot.kind !== "country" && confirmsOwn(spot.context, anchor)) ||
    anchor.regions.some((one) => isInRegion(spot, one))
  );
}

/** Returns whether the result's own address has the words: villages that no list has, and codes of a country's own. */
export function confirmsOwn(context: Context, { words, open }: Anchor): boolean {
  const known = contextWords(context);
  if (open && words.length === 1)
    for (const [word, { part }] of known) if (part === "city" && word.startsWith(words[0])) return true;
  const first = known.get(words[0]);
  if (first === undefined || (first.of !== words.length && first.part !== "country")) return false;
  return words.every((word) => known.get(word)?.part === first.part);
}

/** Areas with their own ISO code that are also written as a part of the country. */
const TERRITORIES: Readonly<Record<string, string>> = {
  AX: "FI",
  AS: "US",
  BL: "FR",
  FO: "DK",
  GF: "FR",
  GG: "GB",
  GI: "GB",
  GL: "DK",
  GP: "FR",
  GU: "US",
  HK: "CN",
  IM: "GB",
  JE: "GB",
  MF: "FR",
  MO: "CN",
  MP: "US",
  MQ: "FR",
  NC: "FR",
  PF: "FR",
  PM: "FR",
  PR: "US",
  RE: "FR",
  SJ: "NO",
  VI: "US",
  YT: "FR",
};

/** Distance of the farthest addresses of a state without known borders, and of a county, from its middle [m]. */
const STATE_REACH = 400_000;
export const COUNTY_REACH = 100_000;
/** The same of a province, whose width is known but not its shape. */
const PROVINCE_REACH = 40_000;
/** Countries whose states all data has. */
export const WITH_STATES = new Set(["US", "CA"]);

/** The part of a state's width around its middle that is certainly in it. */
const CERTAIN_PART = 0.7;

/** Returns whether a position is so near the middle of a state without known borders that it is certainly in it. */
function isWellInside(spot: Position, { kind, importance, town }: NamedRegion): boolean {
  const width = kind === "state" ? widthOfArea(importance) : undefined;
  return width !== undefined && areWithin(spot, town, CERTAIN_PART * width);
}

/** Kinds of regions whose areas are never in smaller ones. */
const COARSE: readonly EntryKind[] = ["locality", "county", "state", "country"];

export function isInRegion(spot: Spot, { kind, context, town, isProvince, importance }: NamedRegion): boolean {
  const { countryCode, stateCode } = spot.context;
  const country = context.countryCode;
  const sameCountry = countryCode === "" || country === "" || countryCode === country;
  if (kind === "country") return sameCountry || TERRITORIES[countryCode] === country;
  if (!sameCountry || COARSE.indexOf(spot.kind) > COARSE.indexOf(kind)) return false;
  if (kind === "state") {
    if (stateCode !== "" && stateCode === context.stateCode) return true;
    const width = widthOfArea(importance);
    // What is in another state of the list may still be in a province, a department or an island.
    const reach =
      isProvince || stateCode !== ""
        ? Math.max(PROVINCE_REACH, width ?? COUNTY_REACH)
        : Math.max(STATE_REACH, width ?? 0);
    return (stateCode === "" || !WITH_STATES.has(country)) && areWithin(spot, town, reach);
  }
  if (WITH_STATES.has(country) && stateCode !== "" && context.stateCode !== "" && stateCode !== context.stateCode)
    return false;
  if (kind === "county") return areWithin(spot, town, COUNTY_REACH);
  return isNear(town, spot.latitude, spot.longitude, false);
}

/** Returns whether two positions are within a distance [m]; most are not even in the same latitudes. */
export function areWithin(a: Position, b: Position, reach: number): boolean {
  return Math.abs(a.latitude - b.latitude) <= reach && apart(a, b) <= reach;
}

interface Position {
  latitude: number;
  longitude: number;
}

const apart = (a: Position, b: Position) =>
  haversine(a.latitude / GRID, a.longitude / GRID, b.latitude / GRID, b.longitude / GRID);
