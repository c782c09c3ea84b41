import { z } from "zod";
import { COVERAGE_REASONS, type CoverageReason } from "../../addresses/coverage.ts";
import { type AddressQuestion, areasOf, type Validation, validateAddress } from "../../addresses/validate.ts";
import { RULES, rulesAsText, VERIFICATION_STATUSES } from "../../addresses/verdict.ts";
import type { Country } from "../../geocoding/north-america/words.ts";
import { stateCodeOf, stateCodesOf } from "../../geocoding/parse/states.ts";
import { addressCounts, addressIndexesFor } from "../../geodata/addresses.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { invalid, required } from "../../platform/errors.ts";
import { optionalSearchText, searchText } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const COUNTRIES = ["US", "CA"] as const;
const POSTAL_CODES: Record<Country, { pattern: RegExp; rule: string }> = {
  US: { pattern: /^\d{5}(?:[ -]?\d{4})?$/, rule: "Expected 5 digits, with or without the 4 digits of ZIP+4." },
  CA: {
    // D, F, I, O, Q and U never occur; W and Z not in the first position.
    pattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
    rule: "Expected the form A1A 1A1, without the letters D, F, I, O, Q and U.",
  },
};

export const validatedShape = z.object({
  addressLabel: z.string().meta({ description: "the first line as it is printed: 20 JAY ST APT 4B" }),
  unit: z.string().optional().meta({ description: "with its designator where one is known: APT 4B" }),
  number: z.string().optional(),
  street: z.string().optional(),
  city: z.string(),
  stateCode: z.string(),
  postalCode: z.string().meta({ description: "5 digits; in Canada A1A 1A1" }),
  plus4: z.string().optional().meta({ description: "only if the data source has it" }),
  county: z.string().optional(),
  countryCode: z.string(),
  formattedAddress: z.string(),
  remainder: z
    .string()
    .optional()
    .meta({ description: "text of the first line that is not part of this address: PO BOX 7 after a street" }),
  metadata: z.object({
    recordType: z.enum(["S", "P", "R", "H", "F", "G"]).meta({
      description: "street, post office box, rural or highway contract route, high-rise, firm, general delivery",
    }),
    propertyType: z.enum(["residential", "commercial"]).optional(),
  }),
});

export const resultShape = z.object({
  verificationStatus: z.enum(VERIFICATION_STATUSES).meta({ description: rulesAsText() }),
  analysis: z.enum(["unit:missing", "unit:invalid"]).optional().meta({
    description:
      "why the unit is not verified: `unit:missing`, the address has units and none was specified; `unit:invalid`, the data does not have this unit at the address",
  }),
  corrections: z
    .array(z.enum(["number", "street", "unit", "city", "stateCode", "postalCode"]))
    .optional()
    .meta({ description: "parts of the response that add to or differ from the request" }),
  coverage: z
    .object({
      code: z.enum(Object.keys(COVERAGE_REASONS) as [CoverageReason, ...CoverageReason[]]),
      message: z.string(),
    })
    .optional()
    .meta({ description: "of an unverified address: what is missing in the data" }),
});

/** Parameters of address validation, for the endpoint and for a batch row. */
export const validateFields = {
  city: searchText(),
  stateCode: searchText(64).meta({
    type: "string",
    description: "a state, territory, AA, AE, AP, or a province: 2 letters, or its name",
  }),
  postalCode: searchText(16).meta({
    type: "string",
    description: "US: 5 digits, +4 accepted; Canada: A1A 1A1, with or without the space",
  }),
  countryCode: searchText(2).meta({ type: "string", description: "US or CA" }),
  number: optionalSearchText(32).meta({ type: "string", description: "of the building or PO box; needs `street`" }),
  street: optionalSearchText().meta({ type: "string", description: "needs `number`" }),
  unit: optionalSearchText(64).meta({ type: "string", description: "apartment or suite" }),
  addressLabel: optionalSearchText().meta({
    type: "string",
    description: "the first line; needed without `number` and `street`",
  }),
};

export const validateAddressEndpoint = endpoint({
  name: "validateAddress",
  method: "GET",
  path: "/v1/addresses/validate",
  level: "publishable",
  geodataOnly: true,
  chapter: "Addresses",
  summary: "Validates a US or Canadian postal address: standardizes it and compares it with the imported address data.",
  description:
    "Set `addressLabel`, or `number` with `street` (these take precedence). The result follows the format of USPS (Publication 28) or Canada Post. " +
    "It is compared with open address data, not with a postal authority's files: this is not CASS or SERP certification, and no proof that mail arrives. " +
    "An address outside the imported data is still standardized.",
  shows: ["addressLabel"],
  query: z.object(validateFields),
  response: z.object({ address: validatedShape, result: resultShape }),
  async tables(call) {
    const counts = await addressCounts(await openGeodata(call.env.GEODATA, call));
    const rows = [...counts].filter(([area]) => /^(?:US|CA)-./.test(area)).sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      {
        caption: "verificationStatus: the first that applies",
        rows: RULES.map(({ status, when }) => [`\`${status}\``, when]),
      },
      {
        caption: "coverage.code of an unverified address",
        rows: Object.entries(COVERAGE_REASONS).map(([code, reason]) => [`\`${code}\``, reason]),
      },
      {
        caption: "Imported addresses",
        rows: rows.map(([area, count]) => [area.replace("-", " "), count.toLocaleString("en-US")]),
        empty: "No US or Canadian address data is imported: every result is `unverified`.",
      },
    ];
  },
  async handle(call) {
    return validated(await openGeodata(call.env.GEODATA, call), call.query);
  },
});

export type Validated = ReturnType<typeof wire>;

/** @throws ApiError with the name of the invalid parameter */
export async function validated(geodata: Geodata, parameters: Parameters): Promise<Validated> {
  const query = asked(parameters);
  const { number = "", street = "", addressLabel = "", city, postalCode } = query;
  const address = [number, street, addressLabel, city, postalCode].join(" ");
  const indexes = await addressIndexesFor(geodata, areasOf(query), address);
  return wire(query, await validateAddress(indexes, query));
}

interface Parameters {
  city: string;
  stateCode: string;
  postalCode: string;
  countryCode: string;
  number?: string;
  street?: string;
  unit?: string;
  addressLabel?: string;
}

/** Checks rules across parameters. @throws ApiError with the name of the parameter */
function asked({
  city,
  stateCode,
  postalCode,
  countryCode,
  number,
  street,
  unit,
  addressLabel,
}: Parameters): AddressQuestion {
  const country = COUNTRIES.find((code) => code === countryCode.trim().toUpperCase());
  if (!country) {
    const territory =
      stateCodeOf(countryCode, "US") === countryCode.trim().toUpperCase() &&
      /^(?:PR|GU|VI|AS|MP)$/i.test(countryCode.trim());
    throw invalid(
      "countryCode",
      territory ? `${countryCode.toUpperCase()} is a stateCode of countryCode US.` : "Valid values: US, CA.",
    );
  }
  const states = stateCodesOf(country);
  const state = stateCodeOf(stateCode, country);
  if (state === undefined) throw invalid("stateCode", `Valid values: ${states.join(", ")}.`);
  const { pattern, rule } = POSTAL_CODES[country];
  if (!pattern.test(postalCode.trim())) throw invalid("postalCode", rule);
  if (addressLabel === undefined) {
    if (number === undefined && street === undefined)
      throw required("addressLabel", "Set addressLabel, or number and street.");
    if (street === undefined) throw required("street", "number needs street, or give addressLabel.");
    if (number === undefined) throw required("number", "street needs number, or give addressLabel.");
  }
  return { country, stateCode: state, city, postalCode: postalCode.trim(), number, street, unit, addressLabel };
}

function wire({ country }: AddressQuestion, { address, status, analysis, coverage, corrections }: Validation) {
  const { recordType, propertyType, ...fields } = address;
  const filled = Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== undefined && (value !== "" || ALWAYS.has(key))),
  );
  return {
    address: { ...filled, countryCode: country, metadata: { recordType, ...(propertyType && { propertyType }) } },
    result: {
      verificationStatus: status,
      ...(analysis && { analysis }),
      ...(corrections.length > 0 && { corrections }),
      ...(coverage && { coverage: { code: coverage, message: COVERAGE_REASONS[coverage] } }),
    },
  };
}

const ALWAYS = new Set(["addressLabel", "city", "stateCode", "postalCode", "formattedAddress"]);
