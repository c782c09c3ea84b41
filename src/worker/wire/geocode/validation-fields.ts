import { z } from "zod";
import { COVERAGE_REASONS, type CoverageReason } from "../../../core/addresses/coverage.ts";
import { rulesAsText, VERIFICATION_STATUSES } from "../../../core/addresses/verdict.ts";
import { optionalSearchText, searchText } from "../input/fields.ts";

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
