import { haversine } from "../geo/distance.ts";
import type { AddressIndex } from "../geocoding/index/address-index.ts";
import { type DeliveryLine, parseDeliveryLine } from "../geocoding/north-america/delivery-line.ts";
import { writtenAs } from "../geocoding/north-america/tokens.ts";
import { type Country, upper } from "../geocoding/north-america/words.ts";
import { findCandidates, type Sought } from "./candidates.ts";
import { cityKey } from "./city.ts";
import { addressesIn, type CoverageReason } from "./coverage.ts";
import { type AddressRecord, lookUpNumber } from "./look-up-number.ts";
import { fitsState, statesOf } from "./postal-areas.ts";
import { formattedAddress, type LastLine, printCity, printLine, printPostalCode, printStreet } from "./print.ts";
import { readingsOf } from "./readings.ts";
import { checkUnits, parseUnits } from "./units.ts";
import { analysisOf, best, statusOf, type VerificationStatus } from "./verdict.ts";

/** An address in the parts that the API accepts. */
export interface AddressQuestion {
  country: Country;
  stateCode: string;
  city: string;
  /** In any form that is used in its country; "" if unknown. */
  postalCode: string;
  /** The first line; or number and street. */
  addressLabel?: string;
  number?: string;
  street?: string;
  unit?: string;
}

/** The record types of USPS: street, post office box, rural route, high-rise, firm, general delivery. */
type RecordType = "S" | "P" | "R" | "H" | "F" | "G";
type Correction = "number" | "street" | "unit" | "city" | "stateCode" | "postalCode";

interface ValidatedAddress extends LastLine {
  addressLabel: string;
  number: string;
  street: string;
  unit: string;
  county: string;
  formattedAddress: string;
  /** Other parts of the first line that are not part of this address: "PO BOX 7" next to a street. */
  remainder?: string;
  recordType: RecordType;
  propertyType?: "residential" | "commercial";
}

export interface Validation {
  address: ValidatedAddress;
  status: VerificationStatus;
  analysis?: "unit:missing" | "unit:invalid";
  /** Reason why nothing could be verified. */
  coverage?: CoverageReason;
  /** Parts that differ from the request in more than their form. */
  corrections: Correction[];
}

/**
 * Standardizes an address and finds the one record that it refers to. It never guesses: if records tie, or none is
 * known, it returns the address as given, in standard form.
 */
export async function validateAddress(indexes: readonly AddressIndex[], query: AddressQuestion): Promise<Validation> {
  const { country, stateCode } = query;
  const line = firstLine(query);
  const given: LastLine = {
    city: printCity(query.city, country),
    stateCode,
    postalCode: printPostalCode(query.postalCode, country),
  };
  const asGiven = (coverage?: CoverageReason, status: VerificationStatus = "unverified"): Validation => ({
    address: finish(line, given, country),
    status,
    ...(coverage && { coverage }),
    corrections: [],
  });
  if (line.kind !== "street" && line.kind !== "unknown") return asGiven("not-listed");
  if (!line.street || line.number === "" || line.street.name === "") return asGiven("not-read");
  const sought: Sought = {
    country,
    number: line.number,
    streets: readingsOf(line.street, country),
    city: query.city,
    stateCode,
    postalCode: given.postalCode,
  };
  const known = await Promise.all(areasOf(query).map((area) => addressesIn(indexes, area)));
  if (known.every((count) => count === 0)) return asGiven("no-data-for-state");
  const { candidates, placeKnown } = await findCandidates(indexes, sought);
  if (candidates.length === 0) return asGiven(placeKnown ? "no-such-street" : "no-data-for-area");
  const { tied, better } = best(withoutTwins(await lookUpNumber(candidates, line.number)), addressOf);
  if (tied.length > 1) return asGiven(undefined, "ambiguous");
  return judge(tied[0], better, line, given, query);
}

/**
 * States in which the address may be: "US-NY". Where the postal code cannot be in the given state, either may be
 * correct.
 */
export function areasOf({ country, stateCode, postalCode }: AddressQuestion): string[] {
  const code = printPostalCode(postalCode, country);
  const others = code === "" || fitsState(code, stateCode, country) ? [] : statesOf(code, country);
  const areas = [stateCode, ...others].map((state) => `${country}-${state}`);
  // Most sources treat territories as separate countries.
  return /^(?:PR|GU|VI|AS|MP)$/.test(stateCode) ? [...areas, `${stateCode}-`] : areas;
}

/** "number" and "street", or "addressLabel", and the unit, as one line. */
function firstLine(query: AddressQuestion): DeliveryLine {
  const { country, stateCode, number, street, unit } = query;
  const text = number !== undefined && street !== undefined ? joined(number.trim(), street.trim()) : labelOf(query);
  const line = parseDeliveryLine(text, { country, stateCode });
  if (unit === undefined || unit.trim() === "") return line;
  const own = parseUnits(unit, country);
  const known = line.units.some(({ id }) => own.some((one) => one.id === id));
  return known ? line : { ...line, units: [...line.units, ...own] };
}

/**
 * Some callers put the full address here: the parts that the other parameters contain are removed from "20 Jay St
 * Brooklyn NY 11201".
 */
function labelOf({ addressLabel = "", city, stateCode, postalCode }: AddressQuestion): string {
  // Begins and ends with a letter or digit, so that no two repetitions stand side by side in the pattern.
  const escaped = (part: string) =>
    part.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "").replace(/[^\p{L}\d]+/gu, "[^\\p{L}\\d]*");
  if (!/[\p{L}\d]/u.test(city)) return addressLabel;
  const end = [escaped(stateCode), escaped(postalCode).slice(0, 60)].join("[\\s,]*");
  const last = new RegExp(`[\\s,]+${escaped(city)}[\\s,]+${end}(?:-\\d{4})?(?:[\\s,]+(?:USA?|Canada))?[\\s.]*$`, "iu");
  return addressLabel.replace(last, "");
}

/** A box has its number at the end: 123 and "PO Box" → "PO Box 123". */
function joined(number: string, street: string): string {
  if (/(?:^|\s)(?:box|bx|c\.?\s?p\.?|case postale)\s*#?$/i.test(street)) return `${street} ${number}`;
  if (/^(?:rr|r\.r\.|rural route|hcr?|psc|cmr|unit)\s*#?\d+[a-z]?$/i.test(street)) return `${street} box ${number}`;
  return street.toUpperCase().startsWith(`${number.toUpperCase()} `) ? street : `${number} ${street}`;
}

function recordTypeOf(line: DeliveryLine, hasUnits: boolean): RecordType {
  if (line.kind === "box" || (line.kind === "military" && line.number !== "")) return "P";
  if (line.kind === "route" || line.kind === "contract") return "R";
  if (line.kind === "general") return "G";
  // A recipient after "care of" is not a firm.
  if (line.firm !== "" && !/^(?:c\/o|attn|attention|care of|a\/s)\b/i.test(line.firm)) return "F";
  return hasUnits || line.units.length > 0 ? "H" : "S";
}

function finish(line: DeliveryLine, last: LastLine, country: Country, record?: AddressRecord): ValidatedAddress {
  const printed = printLine(line, country);
  return {
    ...printed,
    ...last,
    county: record ? printCity(record.candidate.context.county, country) : "",
    formattedAddress: formattedAddress(printed.addressLabel, last, country),
    ...(line.rest.length > 0 && { remainder: upper(writtenAs(line.rest)) }),
    recordType: recordTypeOf(line, (record?.house?.units.length ?? 0) > 0),
  };
}

/** If two sources have the same house and only one has its postal code, that one is used. */
function withoutTwins(records: readonly AddressRecord[]): AddressRecord[] {
  const at = (record: AddressRecord) => record.house?.location;
  return records.filter((one) => {
    if (one.number !== "exact" || one.candidate.postalCode !== "") return true;
    return !records.some((other) => {
      if (other.number !== "exact" || other.candidate.postalCode === "") return false;
      if (printStreet(other.candidate.street) !== printStreet(one.candidate.street)) return false;
      const [a, b] = [at(one)!, at(other)!];
      return haversine(a.latitude, a.longitude, b.latitude, b.longitude) < TWINS;
    });
  });
}
/** [m] */
const TWINS = 200;

/**
 * Records of the same address get the same text. Without a house number, all postal codes of a street are treated as
 * one.
 */
function addressOf({ candidate, number, houseNumber }: AddressRecord): string {
  const { street, context, postalCode } = candidate;
  const place = cityKey(context.city);
  return [printStreet(street), place, ...(number === "exact" ? [houseNumber, postalCode] : [])].join("\n");
}

function judge(
  record: AddressRecord,
  better: boolean,
  line: DeliveryLine,
  given: LastLine,
  { country }: AddressQuestion,
): Validation {
  const { candidate, number, house } = record;
  const { difference, context } = candidate;
  const exact = number === "exact";
  const units = checkUnits(line.units, house?.units ?? [], country);
  const corrected: DeliveryLine = {
    ...line,
    street: candidate.street,
    number: exact ? record.houseNumber.toUpperCase() : line.number,
    units: [...units.units],
  };
  // Only a record of exactly that house number may correct a postal code or city.
  const postalCodeCorrected = exact && candidate.postalCodeAgrees === false;
  const cityCorrected = exact && candidate.cityAgrees === false;
  const last: LastLine = {
    city: cityCorrected ? printCity(context.city, country) : given.city,
    stateCode: exact && context.stateCode !== "" ? context.stateCode : given.stateCode,
    postalCode:
      postalCodeCorrected || (exact && given.postalCode === "")
        ? printPostalCode(candidate.postalCode, country)
        : given.postalCode,
    ...(house?.plus4 !== undefined && { plus4: house.plus4 }),
  };
  const numberChanged = exact && numberKey(record.houseNumber) !== numberKey(line.number);
  const status = statusOf({
    records: 1,
    number,
    contradicted:
      difference.suffix === "changed" ||
      difference.directional === "changed" ||
      difference.letters === 3 ||
      numberChanged ||
      better,
    postalCodeCorrected,
    postalCodeImpossible: last.postalCode !== "" && !fitsState(last.postalCode, last.stateCode, country),
    postalCodeUnknown: isUnknown(given.postalCode, candidate),
    cityCorrected: cityCorrected || last.stateCode !== given.stateCode,
    unit: units.state,
  });
  const analysis = analysisOf(units.state);
  const corrections: Correction[] = [];
  if (numberChanged) corrections.push("number");
  if (difference.penalty > 0 || candidate.repaired) corrections.push("street");
  if (cityCorrected) corrections.push("city");
  if (last.stateCode !== given.stateCode) corrections.push("stateCode");
  if (postalCodeCorrected) corrections.push("postalCode");
  const address = finish(corrected, last, country, record);
  return {
    address: { ...address, ...(house?.propertyType && { propertyType: house.propertyType }) },
    status,
    ...(analysis && { analysis }),
    corrections,
  };
}

const isUnknown = (postalCode: string, { postalCodeAgrees, postalCodeIsUsed }: AddressRecord["candidate"]) =>
  postalCode !== "" && postalCodeAgrees === "unknown" && !postalCodeIsUsed;

const numberKey = (text: string) => text.toUpperCase().replace(/[\s.]/g, "");
