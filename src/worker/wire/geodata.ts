import type { Bounds, DataSource, LiveBuild, Manifest } from "../../core/geo/builds/manifest.ts";
import { wireDate } from "./date.ts";

/** A complete build in the bucket: its manifest, and when that was written, which is the last step [ms]. */
interface Stored {
  manifest: Manifest;
  importedAt: number;
}

/**
 * A live build as returned by `GET /v1/geodata` and shown in the dashboard. `stored` contains the build itself and its
 * predecessors, if they still exist.
 */
export function wireBuild(
  { name, id, areas, layers, layerAreas, sources, previous, liveSince }: LiveBuild,
  own: Stored | undefined,
  before: readonly (Stored | undefined)[],
) {
  const inputs = own?.manifest.inputs ?? [];
  return {
    ...wireStored(id, own),
    name,
    liveSince: dateOf(liveSince),
    // The oldest input determines the age of the data.
    dataDate: inputs.flatMap(({ timestamp }) => dateOf(timestamp) ?? []).sort()[0],
    layers: Object.keys(layers).sort(),
    areas: areas.map(wireBounds),
    ...(layerAreas && {
      layerAreas: Object.fromEntries(Object.entries(layerAreas).map(([layer, own]) => [layer, own.map(wireBounds)])),
    }),
    sources: sources.map(wireSource),
    inputs: inputs.map(({ name, bytes, timestamp }) => ({ name, bytes, timestamp: dateOf(timestamp) })),
    previous: previous.map((one, i) => wireStored(one, before[i])),
  };
}

function wireStored(id: string, stored: Stored | undefined) {
  return {
    id,
    importedAt: stored && wireDate(stored.importedAt),
    bytes: stored && Object.values(stored.manifest.layers).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function wireSource({ date, ...source }: DataSource) {
  return { ...source, date: dateOf(date) };
}

function wireBounds([west, south, east, north]: Bounds): [number, number, number, number] {
  return [west, south, east, north];
}

/** In the format of all API dates; an extract's own date may have another format, or be missing. */
function dateOf(timestamp: string | undefined): string | undefined {
  const time = Date.parse(timestamp ?? "");
  return Number.isFinite(time) ? wireDate(time) : undefined;
}
