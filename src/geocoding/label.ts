import { countryName } from "../regions/region.ts";

/** What a label is made of; "" or absent for what is unknown. */
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

/**
 * How addresses are written, by country: the first line, and all of it. Parts are separated by commas; a part whose words
 * are all unknown is left out with its comma. {area} is the borough, {state} the code where there is one.
 *
 * From the Universal Postal Union's "Postal addressing systems in member countries" and OpenCage's address-formatting
 * (MIT), reduced to one line.
 */
const AFTER = "{street} {number}";
const AFTER_COMMA = "{street}, {number}";
const BEFORE = "{number} {street}";

interface Form {
  line: string;
  city: string;
}

const POSTAL_FIRST = "{postalCode} {city}";
const CITY_POSTAL = "{city} {postalCode}";
const CITY_STATE_POSTAL = "{city} {stateCode} {postalCode}";

const FORMS: [countries: string, form: Form][] = [
  ["US PR GU VI AS MP", { line: BEFORE, city: "{area}, {city}, {stateCode} {postalCode}" }],
  ["CA", { line: BEFORE, city: "{area}, {city}, {stateCode} {postalCode}" }],
  ["AU", { line: BEFORE, city: CITY_STATE_POSTAL }],
  ["GB IE IM JE GG GI MT", { line: BEFORE, city: "{city}, {postalCode}" }],
  ["NZ ZA IN PK BD LK SG MY HK PH NG KE GH EG SA AE JO LB IL NP", { line: BEFORE, city: CITY_POSTAL }],
  ["FR MC LU DZ MA TN SN CI", { line: BEFORE, city: POSTAL_FIRST }],
  ["DE AT CH LI NL BE DK NO SE FI IS EE PL CZ SK SI HR RS BA ME MK AL BG GR CY", { line: AFTER, city: POSTAL_FIRST }],
  ["LV", { line: AFTER, city: "{city}, {postalCode}" }],
  ["LT PT AD SM VA IT", { line: AFTER, city: POSTAL_FIRST }],
  ["ES TR RO MD", { line: AFTER_COMMA, city: POSTAL_FIRST }],
  ["HU", { line: "{city}, {street} {number}", city: "{postalCode}" }],
  ["RU UA BY KZ", { line: AFTER_COMMA, city: "{city}, {postalCode}" }],
  ["BR", { line: AFTER_COMMA, city: "{city} - {stateCode}, {postalCode}" }],
  ["MX", { line: AFTER, city: "{postalCode} {city}, {state}" }],
  ["AR UY PY CL PE BO EC CO VE CR GT SV HN NI PA DO CU", { line: AFTER, city: "{postalCode} {city}" }],
  ["CN TW KR", { line: BEFORE, city: "{city}, {state} {postalCode}" }],
  ["JP", { line: BEFORE, city: "{city}, {state} {postalCode}" }],
  ["TH VN ID", { line: BEFORE, city: "{city}, {state} {postalCode}" }],
];
const BY_COUNTRY = new Map(FORMS.flatMap(([countries, form]) => countries.split(" ").map((code) => [code, form])));
const OTHERS: Form = { line: BEFORE, city: "{city}, {state} {postalCode}" };

export interface Labels {
  /** The first line: "20 Jay St", "Hauptstraße 5", "Heidelberg". */
  addressLabel: string;
  /** All of it: "20 Jay St, Brooklyn, New York, NY 11201 USA". */
  formattedAddress: string;
}

/** Labels as they are written in the address's country, the country's name in the language asked for. */
export function labelsOf(parts: LabelParts, language = "en"): Labels {
  const form = BY_COUNTRY.get(parts.countryCode) ?? OTHERS;
  const fields = fieldsOf(parts);
  const addressLabel = fill(form.line, { ...fields, city: "" });
  const line = [fields.place, fill(form.line, fields), unitOf(parts)].filter((part) => part !== "");
  const city = fill(form.city, fields);
  const body = [...line, city].filter((part) => part !== "");
  const country = parts.countryCode === "US" ? "USA" : parts.countryCode && countryName(parts.countryCode, language);
  return {
    addressLabel: addressLabel || firstOf(fields),
    formattedAddress: withCountry(body.join(", "), country, parts.countryCode),
  };
}

function fieldsOf(parts: LabelParts): Record<string, string> {
  const { number = "", street = "", place = "", borough = "", city = "", county = "", postalCode = "" } = parts;
  return {
    number,
    street,
    place,
    // A borough is told beside its city: "Brooklyn, New York".
    area: borough && borough !== city ? borough : "",
    city: city || (street || place ? county : ""),
    state: parts.state || parts.stateCode || "",
    stateCode: parts.stateCode || parts.state || "",
    postalCode,
  };
}

function unitOf({ unit }: LabelParts): string {
  if (!unit) return "";
  return /^[\dA-Za-z-]{1,8}$/.test(unit) ? `#${unit}` : unit;
}

/** The most telling word there is. */
function firstOf({ place, city, postalCode, state }: Record<string, string>): string {
  return place || city || postalCode || state;
}

/** "{number} {street}" → "20 Jay St"; commas and hyphens between unknown parts go with them. */
function fill(template: string, fields: Record<string, string>): string {
  return template
    .split(", ")
    .map((part) =>
      part
        .replace(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? "")
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^- | -$/g, "")
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
