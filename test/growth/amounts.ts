import fc from "fast-check";
import { type Schema, validValues } from "../fuzz/values.ts";

/** Values whose number of parts grows: items of lists, keys of dictionaries, polygons, rings and points. */
export interface Amount {
  name: string;
  of(count: number): unknown;
}

/** A place in a body that takes such a value. */
interface Place {
  name: string;
  amounts: readonly Amount[];
  /** The field with the value in its place. */
  wrap(value: unknown): unknown;
  /** Other fields of the body that the value needs. */
  beside?: Readonly<Record<string, unknown>>;
}

/** Levels of a body that are looked at. */
const MAX_LEVEL = 3;
const SAMPLES = 20;

/** The places of a field: itself, and what its items and members hold. */
export function amountsIn(name: string, schema: Schema | boolean, level = 0): Place[] {
  if (typeof schema === "boolean" || level > MAX_LEVEL) return [];
  const polygons = POLYGONS[name.split(/[.[]/).at(-1) as string] ?? [];
  const own = polygons.map(({ beside, ...amount }): Place => ({ name, amounts: [amount], wrap: same, beside }));
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  own.push(...choices.flatMap((choice) => amountsIn(name, choice, level + 1)));
  const types = [schema.type].flat();
  if (types.includes("array")) own.push(...placesOfList(name, schema, level));
  if (types.includes("object")) own.push(...placesOfObject(name, schema, level));
  return own;
}

const same = (value: unknown) => value;

function placesOfList(name: string, { items = {} }: Schema, level: number): Place[] {
  const samples = samplesOf(items, name);
  const list: Place = {
    name,
    amounts: [
      { name: "equal items", of: (count) => Array<unknown>(count).fill(samples[0]) },
      { name: "distinct items", of: (count) => Array.from({ length: count }, (_, i) => vary(samples[i % SAMPLES], i)) },
    ],
    wrap: same,
  };
  const inner = amountsIn(`${name}[]`, items, level + 1);
  return [list, ...inner.map((place) => ({ ...place, wrap: (value: unknown) => [place.wrap(value)] }))];
}

function placesOfObject(name: string, schema: Schema, level: number): Place[] {
  const [sample] = samplesOf(schema, name) as Record<string, unknown>[];
  const distinct = (value: (i: number) => unknown) => (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value(i)]));
  const keys: Place = {
    name,
    amounts: [
      { name: "distinct keys", of: distinct(() => 1) },
      { name: "distinct keys and values", of: distinct((i) => `v${i}`) },
    ],
    wrap: same,
  };
  const inner = Object.entries(schema.properties ?? {}).flatMap(([member, of]) =>
    amountsIn(`${name}.${member}`, of, level + 1).map((place) => ({
      ...place,
      wrap: (value: unknown) => ({ ...sample, [member]: place.wrap(value) }),
    })),
  );
  return [keys, ...inner];
}

function samplesOf(schema: Schema | boolean, name: string): unknown[] {
  return fc.sample(validValues(schema, name.replace(/\[\]$/, "").split(".").at(-1)), { numRuns: SAMPLES, seed: 7 });
}

/** The same value with other names and, a little, other numbers. */
function vary(value: unknown, i: number): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : value + i * 1e-7;
  if (Array.isArray(value)) return value.map((one) => vary(one, i));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      /^(id|_id|name|externalId)$/.test(key) ? `${one} ${i}` : vary(one, i),
    ]),
  );
}

type Ring = [number, number][];

/** A ring of so many corners around a point of the demo world. */
function circle(count: number, radius = 0.02, [longitude, latitude] = [-111.2, 48.99]): Ring {
  const corners = Array.from({ length: Math.max(3, count) }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / Math.max(3, count);
    return [longitude + radius * Math.cos(angle), latitude + radius * Math.sin(angle)];
  });
  return [...corners, corners[0]];
}

/** A comb: every other corner is on the other side, and each edge passes near all others. */
function comb(count: number): Ring {
  const teeth = Array.from({ length: Math.max(3, count) }, (_, i): [number, number] => [
    -111.22 + (0.04 * i) / count,
    i % 2 === 0 ? 48.985 : 48.995,
  ]);
  return [...teeth, [-111.18, 48.98], [-111.22, 48.98], teeth[0]];
}

/** Corners of a star whose edges all cross. */
function star(count: number): Ring {
  const ring = circle(count | 1).slice(0, -1);
  const step = (ring.length - 1) / 2;
  const corners = ring.map((_, i) => ring[(i * step) % ring.length]);
  return [...corners, corners[0]];
}

const many = (count: number) => Array.from({ length: count }, (_, i) => [circle(8, 0.001 + (i % 50) * 1e-4)]);
const holes = (count: number) => [circle(64), ...many(count).map(([ring]) => ring)];

const SHAPES: readonly { name: string; rings(count: number): Ring[] }[] = [
  { name: "points of a circle", rings: (count) => [circle(count)] },
  { name: "points of a comb", rings: (count) => [comb(count)] },
  { name: "points of a star", rings: (count) => [star(count)] },
  { name: "equal points", rings: (count) => [[...circle(3).slice(0, 3), ...Array(count).fill([-111.2, 48.99])]] },
  { name: "rings", rings: holes },
];

type Polygons = readonly (Amount & { beside?: Readonly<Record<string, unknown>> })[];

const asGeoJson: Polygons = [
  ...SHAPES.map(({ name, rings }) => ({
    name,
    of: (count: number) => ({ type: "Polygon", coordinates: rings(count) }),
  })),
  { name: "polygons", of: (count) => ({ type: "MultiPolygon", coordinates: many(count) }) },
  {
    name: "features",
    of: (count) => ({
      type: "FeatureCollection",
      features: many(count).map((coordinates, i) => ({
        type: "Feature",
        properties: { tag: `t${i}`, externalId: `e${i}`, description: "x" },
        geometry: { type: "Polygon", coordinates },
      })),
    }),
  },
];

/** By field: areas are numbers of points, rings and polygons at the same time. */
const POLYGONS: Readonly<Record<string, Polygons>> = {
  coordinates: SHAPES.map(({ name, rings }) => ({
    name,
    of: (count: number) => (name === "rings" ? rings(count) : rings(count)[0]),
    beside: { type: "polygon", radius: undefined },
  })),
  avoidPolygons: asGeoJson,
  geojson: asGeoJson,
};

/** For parameters of queries, as JSON text. */
export const polygonsOfQuery = (name: string): Polygons => POLYGONS[name] ?? [];
