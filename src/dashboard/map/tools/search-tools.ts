import { type DrawnAnswer, getRequest, NOTHING, type Tool, type ToolField } from "./tool.ts";

/** Addresses: from text to places and back. */

const layers: ToolField = {
  name: "layers",
  label: "Layers",
  kind: "layers",
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
function drawAddresses({ addresses }: { addresses: Address[] }): DrawnAnswer {
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
    summary: addresses.length === 0 ? "No results." : `${addresses.length} found`,
  };
}

export const SEARCH_TOOLS: readonly Tool[] = [
  {
    id: "geocode",
    title: "Geocode",
    about: "Converts a complete address to coordinates.",
    fields: [
      { name: "query", label: "Address", kind: "text", required: true },
      { name: "country", label: "Countries", kind: "countries" },
      layers,
      LANGUAGE,
    ],
    request: (values) => getRequest("/v1/geocode/forward", values),
    draw: drawAddresses,
  },
  {
    id: "reverse",
    title: "Reverse geocode",
    about: "Converts coordinates to the nearest address and its regions.",
    fields: [{ name: "coordinates", label: "Position", kind: "place", required: true }, layers, LANGUAGE],
    request: (values) => getRequest("/v1/geocode/reverse", values),
    draw: drawAddresses,
  },
  {
    id: "autocomplete",
    title: "Autocomplete",
    about: "Completes a partial address, by relevance and distance.",
    fields: [
      { name: "query", label: "Partial address", kind: "text", required: true },
      { name: "near", label: "Near", kind: "place" },
      { name: "limit", label: "Limit", kind: "number", usual: "10" },
      layers,
      { name: "countryCode", label: "Countries", kind: "countries" },
    ],
    request: (values) => getRequest("/v1/search/autocomplete", values),
    draw: drawAddresses,
  },
  {
    id: "validate",
    title: "Validate address",
    about: "Standardizes a postal address in the US or Canada.",
    fields: [
      { name: "addressLabel", label: "First line", kind: "text", hint: "20 Jay St Apt 4B", required: true },
      { name: "city", label: "City", kind: "text", required: true },
      { name: "stateCode", label: "State", kind: "text", required: true },
      { name: "postalCode", label: "Postal code", kind: "text", required: true },
      { name: "countryCode", label: "Country", kind: "choice", options: ["US", "CA"], usual: "US" },
    ],
    request: (values) => getRequest("/v1/addresses/validate", values),
    draw: ({ address, result }: { address: { formattedAddress: string }; result: { verificationStatus: string } }) => ({
      ...NOTHING,
      lineup: [{ title: address.formattedAddress, detail: result.verificationStatus }],
      summary: result.verificationStatus,
    }),
  },
];
