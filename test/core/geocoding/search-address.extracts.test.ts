import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { isReported } from "./cases.ts";
import { buildAddresses } from "./index/demo-index.ts";
import { AMERICAN, DRESSES, GERMAN, reached } from "./parse/whole-address.ts";
import { sampleHouses } from "./sample.ts";

for (const [town, file, write] of [
  ["Heidelberg", "heidelberg.osm.pbf", GERMAN],
  ...(process.env.EVERY_EXTRACT ? [["Queens Village", "queens-village-ny.osm.pbf", AMERICAN] as const] : []),
] as const) {
  const path = join(EXTRACTS, file);
  describe(`a whole address of ${town}${existsSync(path) ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!existsSync(path))(
      "is found with whatever stands around it",
      async () => {
        const built = await buildAddresses([path]);
        const houses = (await sampleHouses(built.index, 100, 5)).filter(isReported);
        for (const [what, dress] of DRESSES) {
          const share = await reached(built, houses, (house) => dress(write(house)));
          expect([what, share]).toEqual([what, expect.toSatisfy((rate: number) => rate >= 0.98)]);
        }
      },
      120_000,
    );
  });
}
