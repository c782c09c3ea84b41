/** The parts of a whole address, as they are written; missing parts are absent. */
export interface ParsedAddress {
  /** Of a house, firm or person that stands before the street. */
  name?: string;
  number?: string;
  street?: string;
  unit?: string;
  /** "PO Box 123" → "123" */
  box?: string;
  city?: string;
  /** Where the country's addresses name one. */
  stateCode?: string;
  postalCode?: string;
  /** ISO 3166-1 alpha-2, if the text contains it: as a name, by state, or by the form of its postal code. */
  countryCode?: string;
}
