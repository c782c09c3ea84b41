import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LAYERS, type SearchOptions } from "../../../src/core/geocoding/search/search.ts";
import { searchWithAirports } from "../../../src/worker/answers/geocode/airports.ts";
import { samples } from "../../support/night.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { publish } from "./live-build.ts";

const ALL: SearchOptions = { layers: new Set(LAYERS), limit: 10, language: "en", open: true };

/** LIN is the prefix of a thousand closer streets; Malta's code begins no street. */
const AIRPORTS = [
  ["milan-small.osm.pbf", "LIN", "Milano Linate"],
  ["malta.osm.pbf", "MLA", "Malta International Airport"],
] as const;

for (const [file, code, name] of AIRPORTS.slice(0, samples(1, 2))) {
  const path = join(EXTRACTS, file);
  describe(`${name}${existsSync(path) ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!existsSync(path))(
      "is found by its code, alone and with words",
      async () => {
        const geodata = await publish(path);
        for (const text of [code, `${code} airport`, name]) {
          for (const open of [true, false])
            expect([text, (await searchWithAirports(geodata, text, { ...ALL, open }))[0].name]).toEqual([text, name]);
        }
      },
      120_000,
    );
  });
}
