import { type SpecialLine, specialLine } from "./special-line.ts";
import { type StreetParts, streetParts } from "./street-name.ts";
import { type Token, tokensOfLine, wordsAs, writtenAs } from "./tokens.ts";
import { findUnits, leadingUnit, type Unit } from "./units.ts";
import { type Country, cardinalOf, directionalOf, FRENCH, SUFFIXES, unitOf } from "./words.ts";

/**
 * The parts of the delivery line, the line of an address that says where in a town the mail goes. Upper case, standard
 * forms.
 */
export interface DeliveryLine {
  kind: "street" | SpecialLine["kind"] | "unknown";
  /** "217-14", "12 1/2", "39A"; for a box, its number. "" if there is none. */
  number: string;
  street?: StreetParts;
  /** The street as it was written, without unit. */
  written: string;
  units: Unit[];
  /** "RR 2", "PO BOX" */
  route: string;
  /** "STN MAIN" */
  station: string;
  /** Text before the address, such as a firm or a building, as written. */
  firm: string;
  /** Puerto Rico: "URB LAS GLADIOLAS". */
  urbanization: string;
  /** The words after all that. */
  rest: Token[];
}

export interface LineContext {
  country: Country;
  /** "" if unknown. */
  stateCode: string;
}

const HOUSE =
  /^(?:\d{1,6}[A-Z]{0,2}|\d{1,6}(?:-\d{1,6})+[A-Z]{0,2}|\d{1,6}-[A-Z]{1,2}\d{0,2}|\d{1,6}[A-Z]-\d{1,4}|[NSEW]\d{1,5}[NSEW]\d{1,5}[A-Z]?|\d{1,3}[NSEW]\d{1,5}|\d{1,6}\/\d{1,4}|[A-Z]-?\d{1,4}[A-Z]?)$/;
const FRACTION = /^\d\/\d$/;
const GRID = /^[NSEW]\d{1,5}$/;

/** Returns whether a word can be a house number. "5TH" cannot. */
export function isHouse(word: string): boolean {
  return HOUSE.test(word) && !/^\d*(?:1ST|2ND|3RD|\dTH)$/.test(word) && !/^\d+(?:E|ER|RE|EME)$/.test(word);
}

export function parseDeliveryLine(text: string, context: LineContext): DeliveryLine {
  return deliveryLineOf(tokensOfLine(text), context);
}

export function deliveryLineOf(written: readonly Token[], context: LineContext): DeliveryLine {
  const { country, stateCode } = context;
  const tokens = stateCode === "PR" ? withNumberFirst(written) : written;
  const words = wordsAs(tokens);
  for (let i = 0; i < tokens.length; i++) {
    // A special line begins the text or follows words without a number: a firm, an addressee.
    const special = specialLine(words.slice(i), country, stateCode);
    if (!special) continue;
    if (isStart(tokens, i, special, context)) return withSite(specialOf(tokens, i, special), country);
    if (special.kind !== "box" && special.kind !== "route") continue;
    // "123 MAIN ST PO BOX 45": the street comes first, the box after it.
    const line = streetOf(tokens.slice(0, i), context, true);
    if (line.number && line.street?.name) return { ...line, rest: [...line.rest, ...tokens.slice(i)] };
  }
  const site = country === "CA" ? siteOf(tokens, context) : undefined;
  if (site) return site;
  const puerto = stateCode === "PR" ? urbanizationOf(tokens) : undefined;
  const line = streetOf(tokens.slice(puerto?.taken ?? 0), context, true);
  if (stateCode === "PR" && line.number === "" && line.units.length === 1 && line.units[0].designator === "") {
    // "CALLE 13 #45": in Puerto Rico a number after the street is the house number.
    return { ...line, kind: "street", number: line.units[0].id, units: [], urbanization: puerto?.name ?? "" };
  }
  return puerto ? { ...line, urbanization: puerto.name } : line;
}

const NUMBERED_STREETS = new Set(["VIA", "CALLE", "C", "CLL", "PASEO", "AVE", "AVENIDA", "CARR", "CAMINO"]);

/** "VIA 6 12" of Puerto Rico is house 12 of VIA 6; no street name consists of two numbers. */
function withNumberFirst(tokens: readonly Token[]): readonly Token[] {
  const [type, name, house, next] = tokens;
  const isSuch =
    house !== undefined && NUMBERED_STREETS.has(type.word) && /^\d{1,3}[A-Z]?$/.test(name.word) && isHouse(house.word);
  return isSuch && (next === undefined || !/\d/.test(next.word)) ? [house, type, name, ...tokens.slice(3)] : tokens;
}

function isStart(tokens: readonly Token[], i: number, special: SpecialLine, context: LineContext): boolean {
  if (i === 0) return true;
  const before = wordsAs(tokens.slice(0, i));
  if (special.kind === "general")
    return !before.some((word) => /\d/.test(word)) && (tokens[i].breaks || special.route.length > 2);
  if (before.some((word) => isHouse(word)) && streetOf(tokens.slice(0, i), context, false).street?.name) return false;
  return tokens[i].breaks || special.kind !== "box" || /^P/.test(tokens[i].word) || special.route === "CP";
}

function specialOf(
  tokens: readonly Token[],
  at: number,
  special: ReturnType<typeof specialLine> & object,
): DeliveryLine {
  const { kind, route, box, station, taken } = special;
  return {
    kind,
    number: box,
    route,
    station,
    units: [],
    urbanization: "",
    written: writtenAs(tokens.slice(at, at + taken)),
    firm: writtenAs(tokens.slice(0, at)),
    rest: tokens.slice(at + taken),
  };
}

const NOTHING: DeliveryLine = {
  ...{
    kind: "unknown",
    number: "",
    written: "",
    units: [],
    route: "",
    station: "",
    firm: "",
    urbanization: "",
    rest: [],
  },
};

function streetOf(tokens: readonly Token[], context: LineContext, withFirm: boolean): DeliveryLine {
  if (tokens.length === 0) return { ...NOTHING };
  const lead = leadingUnit(tokens, context.country);
  if (lead && lead.end < tokens.length && isHouse(tokens[lead.end].word)) {
    const line = streetOf(tokens.slice(lead.end), context, false);
    if (line.street?.name) return { ...line, units: [...lead.units, ...line.units] };
  }
  const house = houseAt(tokens, 0, context);
  if (house) return behindHouse(tokens, house, context);
  if (withFirm) {
    const at = startOfHouse(tokens, context);
    if (at > 0) return { ...streetOf(tokens.slice(at), context, false), firm: writtenAs(tokens.slice(0, at)) };
  }
  // Without a number, words with a street type are a street.
  const line = behindHouse(tokens, { number: "", units: [], taken: 0 }, context);
  const { street } = line;
  return street && (street.suffix || street.predirectional || street.postdirectional || /\d/.test(street.name))
    ? line
    : { ...line, kind: "unknown" };
}

/** "2825-2855": the ends of one building, not a unit and a number. */
function isRange(first: string, second: string): boolean {
  const apart = Number(second) - Number(first);
  return first.length > 2 && first.length === second.length && apart > 0 && apart < 100 && apart % 2 === 0;
}

interface House {
  number: string;
  units: Unit[];
  taken: number;
}

function houseAt(tokens: readonly Token[], at: number, { country }: LineContext): House | undefined {
  let i = at;
  if (tokens[i]?.word === "#" || (tokens[i]?.word === "NO" && /^\d/.test(tokens[i + 1]?.word ?? ""))) i++;
  const word = tokens[i]?.word;
  const next = tokens[i + 1]?.word;
  if (word === undefined) return undefined;
  const spelled = cardinalOf(word);
  if (spelled !== undefined && next !== undefined && tokens.length - i > 2)
    return { number: String(spelled), units: [], taken: i + 1 - at };
  // "Mile 187 Parks Hwy": Alaska's houses along a highway.
  if (/^(?:MILE|MI)$/.test(word) && /^\d+$/.test(next ?? "") && tokens.length - i > 2)
    return { number: `MILE ${next}`, units: [], taken: i + 2 - at };
  if (!isHouse(word)) return undefined;
  if (GRID.test(word) && GRID.test(next ?? "")) return { number: word + next, units: [], taken: i + 2 - at };
  // A letter with digits is a number where a street follows: "A17 CALLE AMAPOLA".
  if (/^[A-Z]-?\d/.test(word) && !(GRID.test(word) || tokens.length - i > 1)) return undefined;
  // "300, 123 MAIN ST SW": a unit before the number, as Alberta writes it.
  const second = tokens[i + 1];
  if (
    country === "CA" &&
    /^\d{1,5}[A-Z]?$/.test(word) &&
    second?.breaks &&
    isHouse(second.word) &&
    tokens.length - i > 3
  ) {
    const inner = houseAt(tokens, i + 1, { country, stateCode: "" });
    if (inner)
      return { ...inner, units: [{ designator: "", id: word }, ...inner.units], taken: inner.taken + i + 1 - at };
  }
  if (country === "CA") {
    const pair = /^([A-Z]|\d{1,5}[A-Z]?)[-/](\d{1,6}[A-Z]?)$/.exec(word);
    if (pair && !isRange(pair[1], pair[2])) {
      const fraction = FRACTION.test(next ?? "");
      return {
        number: fraction ? `${pair[2]} ${next}` : pair[2],
        units: [{ designator: "", id: pair[1] }],
        taken: i + (fraction ? 2 : 1) - at,
      };
    }
  }
  if (FRACTION.test(next ?? "")) return { number: `${word} ${next}`, units: [], taken: i + 2 - at };
  const afterNext = tokens[i + 2]?.word;
  // "10 A MAIN ST": a letter that is no direction and no street's name belongs to the number.
  if (
    /^\d+$/.test(word) &&
    /^[A-Z]$/.test(next ?? "") &&
    directionalOf(next!) === undefined &&
    afterNext !== undefined &&
    /^[A-Z]{2}|^\d+(?:ST|ND|RD|TH)$/.test(afterNext) &&
    !tokens[i + 2].breaks &&
    !SUFFIXES[country].has(afterNext) &&
    tokens.slice(i + 3).some((token) => SUFFIXES[country].has(token.word))
  )
    return { number: `${word}${next}`, units: [], taken: i + 2 - at };
  return { number: word, units: [], taken: i + 1 - at };
}

function behindHouse(tokens: readonly Token[], house: House, context: LineContext): DeliveryLine {
  const { country, stateCode } = context;
  let after = tokens.slice(house.taken);
  // "804 & 806 N WEST ST": the first of two numbers is used.
  while (/^(?:&|AND)$/.test(after[0]?.word ?? "") && isHouse(after[1]?.word ?? "")) after = after.slice(2);
  if (after.length > 0) after = [{ ...after[0], breaks: false }, ...after.slice(1)];
  const found = findUnits(after, country);
  let breakAt = after.findIndex((token, i) => i > 0 && token.breaks);
  // "144 KINGS HIGHWAY, S.W.": a separate direction still belongs to the street.
  if (breakAt > 0 && directionalOf(after[breakAt].word) && (after[breakAt + 1]?.breaks ?? true)) breakAt++;
  const end = Math.min(found?.start ?? after.length, breakAt < 0 ? after.length : breakAt);
  const street = after.slice(0, end);
  let rest = found && found.start <= end ? after.slice(found.end) : after.slice(end);
  const units = [...house.units];
  if (found) {
    units.push(...found.units);
    if (found.start > end) rest = [...after.slice(end, found.start), ...after.slice(found.end)];
  }
  return {
    ...NOTHING,
    kind: street.length > 0 ? "street" : "unknown",
    number: house.number,
    street: streetParts(wordsAs(street), country, stateCode),
    written: writtenAs(street),
    units,
    rest,
  };
}

/** The position of the house number after a firm's name; 0 if there is none. */
function startOfHouse(tokens: readonly Token[], context: LineContext): number {
  const isType = (word: string) => SUFFIXES[context.country].has(word) || FRENCH.has(word);
  for (let i = 1; i < tokens.length - 1; i++) {
    const lead = tokens[i].breaks ? leadingUnit(tokens.slice(i), context.country) : undefined;
    if (lead && isHouse(tokens[i + lead.end]?.word ?? "")) return i;
    if (unitOf(tokens[i - 1].word) !== undefined && !tokens[i].breaks) continue;
    if (!houseAt(tokens, i, context) || !/^\d|^[NSEW]\d/.test(tokens[i].word)) continue;
    if (tokens[i].breaks) return i;
    // "HIGHWAY 64", "ROUTE 9", "STATE ROAD 7": a street's number.
    if (
      isType(tokens[i - 1].word) ||
      directionalOf(tokens[i - 1].word) ||
      /^(?:US|CR|SR|FM|I|NO|#)$/.test(tokens[i - 1].word)
    )
      continue;
    if (tokens.slice(i + 2).some(({ word }) => isType(word))) return i;
  }
  return 0;
}

const SITE = /^(?:SITE|COMP|GRP|GROUP|EMPLACEMENT)$/;

/** "SITE 4 COMP 5 RR 2": location of the boxes on a rural route in Canada. */
function siteOf(tokens: readonly Token[], { country, stateCode }: LineContext): DeliveryLine | undefined {
  if (!SITE.test(tokens[0]?.word ?? "")) return undefined;
  const words = wordsAs(tokens);
  const at = words.findIndex((_, i) => i > 1 && specialLine(words.slice(i), country, stateCode)?.kind === "route");
  const special = at < 0 ? undefined : specialLine(words.slice(at), country, stateCode);
  return special && { ...specialOf(tokens, at, special), firm: "", urbanization: words.slice(0, at).join(" ") };
}

/** "RR 3 SITE 5 COMP 10": the same after the route, which Canada Post prints before it. */
function withSite(line: DeliveryLine, country: Country): DeliveryLine {
  const [first] = line.rest;
  if (country !== "CA" || line.kind !== "route" || !SITE.test(first?.word ?? "")) return line;
  return { ...line, urbanization: wordsAs(line.rest).join(" "), rest: [] };
}

const URBANIZATION =
  /^(?:URB|URBANIZACION|EXT|EXTENSION|BO|BARRIO|REPTO|REPARTO|PARC|PARCELAS|BDA|BARRIADA|ALT|ALTURAS|JARD|JARDINES|VILLA|VILLAS|MANS|MANSIONES|COND|CONDOMINIO|RES|RESIDENCIAL)$/;

function urbanizationOf(tokens: readonly Token[]): { name: string; taken: number } | undefined {
  if (!URBANIZATION.test(tokens[0]?.word ?? "")) return undefined;
  const end = tokens.findIndex((token, i) => i > 1 && (token.breaks || isHouse(token.word)));
  if (end < 0) return undefined;
  // "COND MIRAFLORES APT 3": the number is the apartment's.
  const at = end > 1 && unitOf(tokens[end - 1].word) !== undefined ? end - 1 : end;
  const name = wordsAs(tokens.slice(0, at)).join(" ");
  return { name: name.replace(/^URBANIZACION /, "URB "), taken: at };
}
