import { encodeCellList } from "../../../core/geo/cells/cell-list.ts";
import {
  CITIES_LAYER,
  CITIES_VERSION,
  CITY_CELLS_KEY,
  cityCell,
  cityKey,
  encodeCities,
} from "../../../core/regions/near-cities.ts";
import type { Layer } from "../../frame/layer.ts";
import { GEONAMES, worldCities } from "../../world/cities.ts";

/** The cities of the world build by cell, for points that are in no known area of one. */
export const worldCityPoints: Layer = {
  name: CITIES_LAYER,
  formatVersion: CITIES_VERSION,
  summary: "cities as points, for reverse geocoding",
  reads: {},
  async build(_input, out, progress) {
    const byCell = Map.groupBy(worldCities(), cityCell);
    progress.expect(byCell.size, "cells");
    for (const [cell, cities] of [...byCell].sort(([a], [b]) => a - b)) {
      await out.write(cityKey(cell), encodeCities(cities));
      out.count("city", cities.length);
      progress.advance();
    }
    await out.write(CITY_CELLS_KEY, encodeCellList(byCell.keys()));
    out.source(GEONAMES);
  },
};
