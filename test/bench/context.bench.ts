import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import type { Geodata } from "../../src/worker/geodata/live.ts";
import { placeAt } from "../../src/worker/geodata/places.ts";
import { regionsAt } from "../../src/worker/geodata/regions.ts";
import type { Report } from "./bench.ts";
import { coldReads, startWithGeodata } from "./support/geodata-platform.ts";
import { seededRandom } from "./support/random.ts";
import { measureBeside, reportBeside } from "./support/slices.ts";
import { startFloor } from "./worker.ts";

export const name = "context";
export const summary = "GET /v1/context and /v1/search/places against an empty Hono handler; what they read when cold.";

export async function run(report: Report): Promise<void> {
  const floor = await startFloor();
  const platform = await startWithGeodata(["context", "searchPlaces"]);
  const headers = { Authorization: platform.keys.testPublishable };
  const random = seededRandom(5);
  /** Anywhere in the demo town. */
  const inTown = (): Coordinate => ({ latitude: 48.976 + random() * 0.048, longitude: -111.237 + random() * 0.074 });
  /** Anywhere between Lisbon and Kyiv: only the world base knows it. */
  const inEurope = (): Coordinate => ({ latitude: 40 + random() * 12, longitude: -8 + random() * 38 });
  try {
    const cases: [string, () => string][] = [
      ["context, an imported town", () => `/v1/context?coordinates=${text(inTown())}`],
      ["context, the world base", () => `/v1/context?coordinates=${text(inEurope())}`],
      ["places, a category within 1 km", () => `/v1/search/places?categories=food-beverage&near=${text(inTown())}`],
    ];
    for (const [label, path] of cases) {
      const make = () => ({ path: path(), headers });
      reportBeside(report, label, await measureBeside({ worker: floor, make }, { worker: platform, make }));
    }
    for (const [label, point] of [
      ["context, an imported town", inTown],
      ["context, the world base", inEurope],
    ] as const) {
      const cold = [];
      for (let i = 0; i < 100; i++) cold.push(await coldReads(platform, (geodata) => contextOf(geodata, point())));
      report({ case: label, metric: "cold reads, most", value: Math.max(...cold.map(({ reads }) => reads)), unit: "" });
      report({
        case: label,
        metric: "cold bytes, most",
        value: Math.max(...cold.map(({ bytes }) => bytes)) / 1024,
        unit: "KB",
      });
    }
  } finally {
    await platform.stop();
    await floor.stop();
  }
}

/** The reads of a context: regions, and the place. */
async function contextOf(geodata: Geodata, point: Coordinate): Promise<void> {
  await regionsAt(geodata, point);
  await placeAt(geodata, point, () => true);
}

function text({ latitude, longitude }: Coordinate): string {
  return `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
}
