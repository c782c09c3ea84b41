import type { DeliveryLine } from "../geocoding/north-america/delivery-line.ts";
import type { StreetParts } from "../geocoding/north-america/street-name.ts";
import type { Unit } from "../geocoding/north-america/units.ts";
import { type Country, upper } from "../geocoding/north-america/words.ts";

/** An address as USPS (Publication 28) or Canada Post print it: upper case, standard abbreviations, no punctuation. */
interface Printed {
  /** The house number, or the number of a box; "" if there is none. */
  number: string;
  /** "N MAIN ST"; for a line without a street "PO BOX" or "RR 2". */
  street: string;
  /** "APT 4B", "4B" where no designator was given. */
  unit: string;
  /** The first line, with all of it: "123 N MAIN ST APT 4B", in Canada "10-123 MAIN ST". */
  addressLabel: string;
}

export interface LastLine {
  city: string;
  stateCode: string;
  /** Five digits, or "M5V 2T6". */
  postalCode: string;
  plus4?: string;
}

export function printStreet({ predirectional, name, suffix, postdirectional, french }: StreetParts): string {
  const parts = french ? [suffix, name, postdirectional] : [predirectional, name, suffix, postdirectional];
  return parts.filter((part) => part !== "").join(" ");
}

/** "APT 4B"; "4B" for a unit without a designator. */
export function printUnits(units: readonly Unit[]): string {
  return units.map(({ designator, id }) => [designator, id].filter((part) => part !== "").join(" ")).join(" ");
}

/** In a line a bare number needs the # character: "20 JAY ST # 4B" (Publication 28, 213.2). */
function unitsInLine(units: readonly Unit[]): string {
  return units.map(({ designator, id }) => (designator === "" ? `# ${id}` : `${designator} ${id}`.trim())).join(" ");
}

export function printLine(line: DeliveryLine, country: Country): Printed {
  const words = (text: string) => (country === "US" ? plainUs(text) : text);
  if (line.kind !== "street" || !line.street) return printSpecial(line);
  const street = words(printStreet(line.street));
  const { number, units } = line;
  const unit = printUnits(units);
  const [first] = units;
  // Canada Post puts a bare unit number before the house number.
  const joins = country === "CA" && units.length === 1 && number !== "" && isBare(first);
  const label = joins ? [`${first.id}-${number}`, street] : [line.urbanization, number, street, unitsInLine(units)];
  return { number, street, unit, addressLabel: join(label) };
}

/** Canada: "UNIT 10", "APT 10", "SUITE 10" and a bare 10 are written "10-123 MAIN ST". */
const isBare = ({ designator, id }: Unit) => /^(?:|APT|UNIT|STE|APP|UNITE|BUREAU)$/.test(designator) && id !== "";

function printSpecial({ kind, number, route, station, written, urbanization, units }: DeliveryLine): Printed {
  if (kind === "street" || kind === "unknown") {
    const street = upper(written);
    return {
      number,
      street,
      unit: printUnits(units),
      addressLabel: join([urbanization, number, street, unitsInLine(units)]),
    };
  }
  const box = kind === "box" ? join([route, number]) : number === "" ? route : `${route} BOX ${number}`;
  return { number, street: route, unit: "", addressLabel: join([urbanization, box, station]) };
}

const join = (parts: readonly string[]) => parts.filter((part) => part !== "").join(" ");

/** USPS prints letters, digits, spaces, "#", "/" and hyphens of numbers: "WINSTON-SALEM" is WINSTON SALEM. */
function plainUs(text: string): string {
  return text
    .replace(/(?<=\D)-|-(?=\D)/g, " ")
    .replace(/[^A-Z0-9/# &.-]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** "St. John's" → "ST JOHNS", in Canada "ST. JOHN'S" → "ST JOHNS", "Trois-Rivières" → "TROIS-RIVIERES". */
export function printCity(city: string, country: Country): string {
  const text = upper(city).replace(/\s+/g, " ").trim();
  return country === "US" ? plainUs(text) : text;
}

/** "11201-1234" or "11201" → the five digits; "m5v2t6" → "M5V 2T6". */
export function printPostalCode(code: string, country: Country): string {
  const text = code.toUpperCase().replace(/[\s-]/g, "");
  if (text === "") return "";
  return country === "US" ? text.slice(0, 5) : `${text.slice(0, 3)} ${text.slice(3)}`;
}

/**
 * Both lines as one: "20 JAY ST APT 4B, BROOKLYN NY 11201-1234". Canada Post requires two spaces before the postal
 * code: "10-123 MAIN ST, TORONTO ON  M5V 2T6".
 */
export function formattedAddress(
  label: string,
  { city, stateCode, postalCode, plus4 }: LastLine,
  country: Country,
): string {
  const code = plus4 ? `${postalCode}-${plus4}` : postalCode;
  const last =
    country === "US" ? join([city, stateCode, code]) : join([join([city, stateCode]), code === "" ? "" : ` ${code}`]);
  return label === "" ? last.trim() : `${label}, ${last.trim()}`;
}
