import { type Drawn, get, NOTHING, type Tool, type ToolField } from "./tool.ts";

/** Addresses: from text to places and back. */

const layers: ToolField = {
  name: "layers",
  label: "Layers",
  kind: "text",
  hint: "address, place, locality, postalCode …; with commas, empty: all",
};
const LANGUAGE = { name: "lang", label: "Language", kind: "text", hint: "such as de" } as const;

interface Address {
  latitude: number;
  longitude: number;
  formattedAddress: string;
  layer: string;
  confidence?: string;
  distance?: number;
}
function drawAddresses({ addresses }: { addresses: Address[] }): Drawn {
  return {
    ...NOTHING,
    points: addresses.map(({ latitude, longitude }) => ({ latitude, longitude })),
    lineup: addresses.map(({ formattedAddress, layer, confidence, distance, latitude, longitude }) => ({
      title: formattedAddress,
      detail: [layer, confidence, distance === undefined ? "" : `${Math.round(distance)} m`]
        .filter(Boolean)
        .join(" · "),
      at: { latitude, longitude },
    })),
    summary: addresses.length === 0 ? "Nothing found in the imported data." : `${addresses.length} found`,
  };
}

export const SEARCH_TOOLS: readonly Tool[] = [
  {
    id: "geocode",
    title: "Geocode",
    about: "A complete address as text to coordinates.",
    fields: [
      { name: "query", label: "Address", kind: "text", required: true },
      { name: "country", label: "Countries", kind: "text", hint: "codes with commas: US,CA" },
      layers,
      LANGUAGE,
    ],
    request: (values) => get("/v1/geocode/forward", values),
    draw: drawAddresses,
  },
  {
    id: "reverse",
    title: "Reverse geocode",
    about: "Coordinates to the nearest address and the regions around.",
    fields: [{ name: "coordinates", label: "Position", kind: "place", required: true }, layers, LANGUAGE],
    request: (values) => get("/v1/geocode/reverse", values),
    draw: drawAddresses,
  },
  {
    id: "autocomplete",
    title: "Autocomplete",
    about: "What begins as typed so far, by relevance and nearness.",
    fields: [
      { name: "query", label: "Typed so far", kind: "text", required: true },
      { name: "near", label: "Near", kind: "place" },
      { name: "limit", label: "Most", kind: "number", usual: "10" },
      layers,
      { name: "countryCode", label: "Countries", kind: "text", hint: "codes with commas" },
    ],
    request: (values) => get("/v1/search/autocomplete", values),
    draw: drawAddresses,
  },
  {
    id: "validate",
    title: "Validate address",
    about: "A postal address of the US or Canada, standardised.",
    fields: [
      { name: "addressLabel", label: "First line", kind: "text", hint: "20 Jay St Apt 4B", required: true },
      { name: "city", label: "City", kind: "text", required: true },
      { name: "stateCode", label: "State", kind: "text", required: true },
      { name: "postalCode", label: "Postal code", kind: "text", required: true },
      { name: "countryCode", label: "Country", kind: "choice", options: ["US", "CA"], usual: "US" },
    ],
    request: (values) => get("/v1/addresses/validate", values),
    draw: ({ address, result }: { address: { formattedAddress: string }; result: { verificationStatus: string } }) => ({
      ...NOTHING,
      lineup: [{ title: address.formattedAddress, detail: result.verificationStatus }],
      summary: result.verificationStatus,
    }),
  },
];
