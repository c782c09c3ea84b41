import type { Properties } from "../../../../src/core/maps/tiles/mvt.ts";
import type { BasemapFeature } from "../../../../src/importer/layers/basemap/features/feature.ts";
import { worldFeatures } from "../../../../src/importer/layers/basemap/world/world-features.ts";
import { keptOnce } from "../../../support/worlds/kept-layers.ts";

/** A feature of the world's map, with its properties at zoom 6. */
export interface ToldFeature {
  feature: Omit<BasemapFeature, "properties">;
  told: Properties;
}

/** All features of the world's map, which take seconds of CPU to make: one process of a run makes them. */
export const worldTold = (): Promise<ToldFeature[]> =>
  keptOnce("world-told", async () =>
    [...worldFeatures()].map(({ properties, ...feature }) => ({
      feature,
      told: typeof properties === "function" ? properties(6) : properties,
    })),
  );
