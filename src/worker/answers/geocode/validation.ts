import { COVERAGE_REASONS } from "../../../core/addresses/coverage.ts";
import { type AddressQuestion, areasOf, type Validation, validateAddress } from "../../../core/addresses/validate.ts";
import type { Country } from "../../../core/geocoding/north-america/words.ts";
import { stateCodeOf, stateCodesOf } from "../../../core/geocoding/parse/states.ts";
import { addressIndexesFor } from "../../geodata/addresses.ts";
import type { Geodata } from "../../geodata/live.ts";
import { invalid, required } from "../../platform/errors.ts";

const COUNTRIES = ["US", "CA"] as const;
const POSTAL_CODES: Record<Country, { pattern: RegExp; rule: string }> = {
  US: { pattern: /^\d{5}(?:[ -]?\d{4})?$/, rule: "Expected 5 digits, with or without the 4 digits of ZIP+4." },
  CA: {
    // D, F, I, O, Q and U never occur; W and Z not in the first position.
    pattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
    rule: "Expected the form A1A 1A1, without the letters D, F, I, O, Q and U.",
  },
};

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
