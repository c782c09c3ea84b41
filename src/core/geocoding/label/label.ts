import { countryName } from "../../regions/region.ts";
import { provinceOf } from "../parse/italian-provinces.ts";
import { alphabetOfText } from "../words/alphabets.ts";
import { fold } from "../words/normalise.ts";
import { spokenLanguages } from "../words/spoken-languages.ts";
import { formOf, lineOf } from "./label-forms.ts";

/** The parts of a label; "" or absent if unknown. */
export interface LabelParts {
  number?: string;
  street?: string;
  unit?: string;
  /** Of a place of interest. */
  place?: string;
  neighborhood?: string;
  borough?: string;
  city?: string;
  county?: string;
  state?: string;
  stateCode?: string;
  postalCode?: string;
  countryCode: string;
}

export interface Labels {
  /** The first line: "20 Jay St", "Hauptstraße 5", "Heidelberg". */
  addressLabel: string;
  /** All of it: "20 Jay St, Brooklyn, New York, NY 11201 USA". */
  formattedAddress: string;
}

/** Labels in the format of the address's country and in one alphabet, the country's name in the requested language if that has it. */
export function labelsOf(parts: LabelParts, language = "en"): Labels {
  const alphabet = alphabetOfText(parts.street || parts.place || parts.city || parts.state || "");
  const form = formOf(parts.countryCode, parts.street || parts.place || parts.city || parts.state);
  const line = lineOf(form);
  const fields = fieldsOf(parts, alphabet);
  const addressLabel = fill(line, fields);
  // A place's name comes first, a unit after the street and its number.
  const written = fill(form.replace(line, `${line}, {unit}`), { ...fields, unit: unitOf(parts) });
  const body = [fields.place, written].filter((part) => part !== "");
  const country = countryIn(parts.countryCode, language, alphabet);
  return {
    addressLabel: addressLabel || firstOf(fields),
    formattedAddress: withCountry(body.join(", "), country, parts.countryCode),
  };
}

/** The name of a country in the requested language; beside an address in another alphabet, in a language of the country: "日本". */
function countryIn(code: string, language: string, alphabet: number): string {
  if (code === "") return "";
  const isUsual = code === "US" && alphabet === 0;
  const requested = isUsual ? "USA" : countryName(code, language);
  const fits = (name: string) => alphabetOfText(name) === alphabet;
  if (fits(requested)) return requested;
  return [...spokenLanguages(code), "en"].map((one) => countryName(code, one)).find(fits) ?? requested;
}

function fieldsOf(parts: LabelParts, alphabet: number): Record<string, string> {
  const { number = "", street = "", place = "", borough = "", city = "", county = "", postalCode = "" } = parts;
  // Where city and state have the same name it is written once: not "Москва, Москва", nor "Osaka, Ōsaka".
  // One in another alphabet than the address is left out.
  const isOther = parts.state && city && (fold(parts.state) === fold(city) || alphabetOfText(parts.state) !== alphabet);
  const state = isOther ? "" : parts.state;
  return {
    number,
    street,
    place,
    // A borough is written before its city: "Brooklyn, New York".
    area: borough && borough !== city ? borough : "",
    // A village without streets is its own line: "Horní Lhota 47".
    city: city === street ? "" : city || (street || (place && place !== county) ? county : ""),
    state: state ?? parts.stateCode ?? "",
    stateCode: parts.stateCode || state || "",
    postalCode,
    province: parts.countryCode === "IT" && city ? (provinceOf(county) ?? provinceOf(city) ?? "").toUpperCase() : "",
  };
}

function unitOf({ unit }: LabelParts): string {
  if (!unit) return "";
  return /^[\dA-Za-z-]{1,8}$/.test(unit) ? `#${unit}` : unit;
}

/** The most specific name there is. */
function firstOf({ place, city, postalCode, state }: Record<string, string>): string {
  return place || city || postalCode || state;
}

/** "{number} {street}" → "20 Jay St"; where a part is unknown its commas and hyphens are left out, too. */
function fill(template: string, fields: Record<string, string>): string {
  return template
    .split(", ")
    .map((part) =>
      part
        .replace(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? "")
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^\s*-|[-/]\s*$/g, "")
        .replace(/(^|\s)\/(?=\S)/g, "$1")
        .trim(),
    )
    .filter((part) => part !== "" && part !== "-")
    .join(", ");
}

function withCountry(text: string, country: string, code: string): string {
  if (country === "") return text;
  if (text === "" || text === country) return country;
  return code === "US" ? `${text} ${country}` : `${text}, ${country}`;
}
