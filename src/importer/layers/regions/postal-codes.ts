import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { PackedRings, PackedShape } from "../../../core/regions/packed-shape.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import { ImportError } from "../../common/import-error.ts";

interface Feature {
  type?: string;
  properties?: Record<string, unknown> | null;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

type Rings = RegionShape["rings"];

/**
 * Properties that hold the code, in this order: a plain one, or those of the US Census (ZCTA) and Statistics Canada
 * (FSA).
 */
const CODE_PROPERTIES = ["postalCode", "postal_code", "postcode", "zip", "ZCTA5CE20", "ZCTA5CE10", "CFSAUID"];

/**
 * The operator's postal codes: GeoJSON of polygons (WGS 84) with the code in a property,
 *
 *     {"type":"Feature","properties":{"postalCode":"11201"},"geometry":{"type":"Polygon","coordinates":[…]}}
 *
 * as a FeatureCollection or a feature per line. Files too large for one text are fine when each feature has its own
 * line, as ogr2ogr writes them. Throws an ImportError that says which area is wrong.
 */
export async function readPostalCodes(path: string): Promise<RegionShape[]> {
  const shapes: RegionShape[] = [];
  for await (const line of createInterface({ input: createReadStream(path, "utf8") })) {
    const text = line.trim().replace(/,$/, "");
    const feature = /^\{.*\}$/.test(text) ? parse(text) : undefined;
    if (feature?.type === "Feature") shapes.push(shapeOf(feature, shapes.length + 1));
  }
  if (shapes.length === 0) {
    const { features } = (parse(await readFile(path, "utf8")) ?? {}) as { features?: Feature[] };
    if (!Array.isArray(features)) throw new ImportError("--postal-codes: the file is no GeoJSON of areas");
    features.forEach((feature, i) => {
      shapes.push(shapeOf(feature, i + 1));
    });
  }
  if (shapes.length === 0) throw new ImportError("--postal-codes: the file holds no areas");
  return shapes;
}

function parse(text: string): Feature | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shapeOf({ properties, geometry }: Feature, number: number): RegionShape {
  const value = CODE_PROPERTIES.map((name) => properties?.[name]).find((one) => one !== undefined && one !== null);
  const code = String(value ?? "").trim();
  if (!code) {
    throw new ImportError(`--postal-codes: area ${number} has no code in any of ${CODE_PROPERTIES.join(", ")}`);
  }
  const rings = ringsOf(geometry?.type, geometry?.coordinates);
  if (!rings?.every(isRing)) throw new ImportError(`--postal-codes: area ${number} (${code}) is no polygon`);
  const region = { kind: "postalCode", rank: "import", code, name: code, country: "", state: "" } as const;
  return new PackedShape(region, new PackedRings(rings));
}

function ringsOf(type: string | undefined, coordinates: unknown): Rings | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  if (type === "Polygon") return coordinates;
  return type === "MultiPolygon" ? coordinates.flat() : undefined;
}

function isRing(ring: unknown): boolean {
  return (
    Array.isArray(ring) &&
    ring.every((corner) => Array.isArray(corner) && Number.isFinite(corner[0]) && Number.isFinite(corner[1]))
  );
}
