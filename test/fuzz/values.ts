import fc from "fast-check";

/** Values for a JSON schema: such as a client sends, such as lie on its bounds, and such as somebody sends who means harm. */

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: (Schema | boolean)[];
  oneOf?: (Schema | boolean)[];
  allOf?: (Schema | boolean)[];
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

type Values = fc.Arbitrary<unknown>;

/** What a schema cannot say: which values lead further than the door. In and around Meridale, the town of the demo world. */
const SENSIBLE: Record<string, unknown[]> = {
  deviceId: ["device-a", "device-b"],
  userId: ["ann", "ben"],
  installId: ["install-a"],
  id: ["ann", "device-a"],
  tag: ["home"],
  externalId: ["one", "two"],
  destinationGeofenceTag: ["home"],
  ...{
    destinationGeofenceExternalId: ["one"],
    latitude: [48.99, 48.985, 49.015],
    longitude: [-111.2, -111.23, -111.17],
  },
  near: ["48.99,-111.2"],
  origin: ["48.985,-111.23"],
  destination: ["49.015,-111.17"],
  center: ["-111.2,48.99"],
  ...{
    origins: ["48.985,-111.23|48.99,-111.2"],
    destinations: ["49.015,-111.17"],
    query: ["Main Street", "12 Main St"],
  },
  locations: ["48.985,-111.23|49.015,-111.17", "48.985,-111.23|48.99,-111.2|49.015,-111.17"],
  modes: [["car", "foot"], ["bike"]],
  mode: ["car", "foot", "bike", "truck"],
  avoid: [["tolls"], ["highways"]],
  ...{
    city: ["Meridale"],
    stateCode: ["MT"],
    postalCode: ["59999"],
    countryCode: ["US"],
    street: ["Main St"],
    number: ["12"],
  },
  radius: [100, 1000],
  accuracy: [5, 65],
  width: [256],
  height: [128],
  zoom: [12],
  scale: [1, 2],
  z: ["12"],
  ...{
    x: ["782"],
    y: ["1401"],
    style: ["light"],
    fontstack: ["Noto Sans Regular"],
    range: ["0-255"],
    sprite: ["light.json"],
  },
  ...{
    markers: ["color:red|48.99,-111.2"],
    path: ["48.985,-111.23|49.015,-111.17"],
    bbox: ["-111.3,48.9,-111.1,49.1"],
  },
  url: ["https://hooks.example.com/in"],
  type: ["circle"],
  status: ["started", "approaching", "completed"],
  ...{
    description: ["A place"],
    name: ["signed_up"],
    csv: ["description,type\n"],
    iataCode: ["QMZ"],
    categories: [["airport"]],
  },
  ...{
    metadata: [{ vip: true, floor: 2, colour: "red" }],
    updatedAt: ["2026-11-22T06:00:00.000Z"],
    updatedAtMsDiff: [-1500],
  },
};
/** The same names mean other things where the schema takes an array. */
const SENSIBLE_ARRAYS: Record<string, unknown[]> = {
  coordinates: [
    [-111.2, 48.99],
    [
      [-111.21, 48.98],
      [-111.19, 48.98],
      [-111.19, 49],
      [-111.21, 49],
      [-111.21, 48.98],
    ],
  ],
  path: [
    [
      { coordinates: "48.985,-111.23", timestamp: 1_795_000_000_000 },
      { coordinates: "48.99,-111.2", timestamp: 1_795_000_060_000 },
    ],
  ],
};

const TIMES = [
  "2026-11-22T06:00:00.000Z",
  "2026-11-22T07:30:00+01:00",
  "1970-01-01T00:00:00Z",
  "2027-01-01T00:00:00.000Z",
];

/** What the schema allows, mostly what makes sense. */
export function validValues(schema: Schema | boolean, name = ""): Values {
  // `true` takes anything; `false` nothing, and is only found where a field may not be there.
  if (typeof schema === "boolean") return fc.jsonValue({ maxDepth: 1 });
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const plain = plainValues(schema, name);
  const known = typeOf(schema) === "array" ? (SENSIBLE_ARRAYS[name] ?? SENSIBLE[name]) : SENSIBLE[name];
  const fitting = known?.filter((value) => fits(schema, value)) ?? [];
  return fitting.length === 0
    ? plain
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: plain });
}

function plainValues(schema: Schema, name: string): Values {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValues(choice, name)));
  switch (typeOf(schema)) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer(boundsOf(schema, 1_000_000));
    case "number":
      return fc.double({ ...boundsOf(schema, 1e6), noNaN: true });
    case "array": {
      const items = validValues(schema.items ?? {}, name.replace(/s$/, ""));
      return fc.array(items, { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 5, 5) });
    }
    case "object":
      return objects(schema);
    case "string":
      return texts(schema, name);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects({ properties = {}, required = [], additionalProperties }: Schema): Values {
  const fields = Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => schema !== false)
      .map(([name, schema]) => [name, validValues(schema, name)]),
  );
  if (Object.keys(fields).length > 0) return fc.record(fields, { requiredKeys: required });
  const values =
    typeof additionalProperties === "object" ? validValues(additionalProperties) : fc.jsonValue({ maxDepth: 1 });
  return fc.dictionary(fc.constantFrom("a", "colour", "vip", "x.y", "Überlänge"), values, { maxKeys: 4 });
}

function texts({ pattern, format, minLength = 0, maxLength = 60 }: Schema, name: string): Values {
  if (format === "date-time" || /(At|After|Before|Time)$/.test(name)) return fc.constantFrom(...TIMES);
  if (/^coordinates$|^near$/.test(name)) return point();
  if (pattern)
    return fc.stringMatching(new RegExp(pattern), { maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)), unit: "grapheme" });
}

/** "latitude,longitude": in the demo world, anywhere, at the poles and on the 180th meridian. */
function point(): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.tuple(
        fc.double({ min: 48.95, max: 49.05, noNaN: true }),
        fc.double({ min: -111.3, max: -111.1, noNaN: true }),
      ),
      fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })),
      fc.tuple(fc.constantFrom(-90, 0, 90), fc.constantFrom(-180, 0, 180)),
    )
    .map(([latitude, longitude]) => `${latitude},${longitude}`);
}

/** On the bounds of the schema, and one step beyond. */
export function boundaryValues(schema: Schema | boolean): Values {
  if (typeof schema === "boolean") return hostileValues;
  const values: unknown[] = [];
  const bounds = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum];
  for (const bound of bounds) if (bound !== undefined) values.push(bound, bound - 1, bound + 1, bound + 1e-9);
  if (schema.minLength !== undefined)
    values.push("x".repeat(schema.minLength), "x".repeat(Math.max(0, schema.minLength - 1)));
  if (schema.maxLength !== undefined) values.push("ü".repeat(schema.maxLength), "x".repeat(schema.maxLength + 1));
  if (schema.maxItems !== undefined)
    values.push(Array(schema.maxItems + 1).fill("a"), Array(schema.maxItems).fill("a"));
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (typeof choice === "object" && choice.maximum !== undefined) values.push(choice.maximum, choice.maximum + 1);
  }
  return fc.constantFrom(...values, "", 0, -0, [], {}, "0", "180", "-90.0000001,180");
}

const DEEP = Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], []);

/** What no schema asks for. */
export const hostileValues: Values = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, -1, 1e21, -1e308, 1e-320, 2 ** 53, 2 ** 31, -(2 ** 53), "NaN", "Infinity", "1e999"],
      ...[
        "0x10",
        "١٢٣",
        "\u0000",
        "a\u0000b",
        "\ud800",
        "\u202e",
        "💥".repeat(300),
        "x".repeat(20_000),
        "%00",
        "%",
        "%zz",
      ],
      ...[
        "../../../etc/passwd",
        "' OR 1=1 --",
        '"}',
        "<script>alert(1)</script>",
        "__proto__",
        "constructor",
        "{{7*7}}",
      ],
      ...["275760-09-13T00:00:00.001Z", "-271821-04-20T00:00:00.000Z", "2026-02-30T25:61:61Z", "0000-00-00", "9e9,9e9"],
      ...[
        "NaN,NaN",
        "91,181",
        "90,180|".repeat(500),
        ",",
        "|",
        ",".repeat(5000),
        "1,".repeat(2000),
        "a[b]=c",
        "(".repeat(3000),
      ],
      ...[
        [],
        {},
        [[]],
        DEEP,
        [null],
        { __proto__: null, toString: 1 },
        { "": {} },
        Array(5000).fill(0),
        Array(2000).fill("a,b"),
      ],
      ...[{ type: "circle", radius: 1e308 }, [[[1e308, -1e308]]], [["NaN"]], { latitude: "48", longitude: [] }],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);

function typeOf({ type, properties, items }: Schema): string | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  return type ?? (properties ? "object" : items ? "array" : undefined);
}

function fits(schema: Schema, value: unknown): boolean {
  const type = typeOf(schema);
  if (type === undefined) return true;
  if (type === "array") return Array.isArray(value);
  if (type === "integer" || type === "number") return typeof value === "number";
  return type === (Array.isArray(value) ? "array" : typeof value);
}

function boundsOf(schema: Schema, far: number): { min: number; max: number } {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -far;
  const max = schema.maximum ?? schema.exclusiveMaximum ?? far;
  return { min: Math.max(min, -far), max: Math.max(Math.max(min, -far), Math.min(max, far)) };
}
