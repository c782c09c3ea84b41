import { z } from "zod";
import { COVERAGE_REASONS } from "../../../core/addresses/coverage.ts";
import { RULES } from "../../../core/addresses/verdict.ts";
import { validated } from "../../answers/geocode/validation.ts";
import { addressCounts } from "../../geodata/addresses.ts";
import { openGeodata } from "../../geodata/live.ts";
import { resultShape, validatedShape, validateFields } from "../../wire/geocode/validation-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

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
