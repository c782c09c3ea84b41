/** A value for every parameter that some endpoint requires, by name: Meridale of the demo world. */
const EXAMPLES: Record<string, string> = {
  near: "48.99,-111.2",
  coordinates: "48.99,-111.2",
  origin: "48.985,-111.23",
  destination: "49.015,-111.17",
  origins: "48.985,-111.23|48.99,-111.2",
  destinations: "49.015,-111.17",
  locations: "48.985,-111.23|49.015,-111.17",
  modes: "car,foot",
  mode: "car",
  query: "Main Street",
  city: "Meridale",
  stateCode: "MT",
  postalCode: "59999",
  countryCode: "US",
  width: "600",
  height: "400",
};

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

/** "near=…&limit=…": the query parameters that an operation of the reference requires. */
export function requiredQuery(parameters: readonly Parameter[] = []): string {
  return parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}=${encodeURIComponent(EXAMPLES[name] ?? "shared")}`)
    .join("&");
}
