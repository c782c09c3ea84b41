import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { nearby } from "../../../src/core/geocoding/search/reverse.ts";
import { search } from "../../../src/core/geocoding/search/search.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import { EXTRACTS } from "../regions/extract-harness.ts";
import { casesOf, isHit, isOnStreet, isReported, KINDS } from "./cases.ts";
import { type Built, buildAddresses } from "./index/demo-index.ts";
import { randomFrom, sampleHouses } from "./sample.ts";

/**
 * Real towns, with shares of houses found that are reached: of all houses of the half that is not for tuning, and of those
 * a person would ask so (cases.ts).
 */
const TOWNS: [town: string, file: string, reached: Record<string, number>][] = [
  ["Queens Village", "queens-village-ny.osm.pbf", { full: 0.995, mistake: 0.97, cut: 0.99, reverse: 0.97 }],
  ["Vancouver", "vancouver.osm.pbf", { full: 0.995, mistake: 0.97, cut: 0.99, reverse: 0.99 }],
  ["Heidelberg", "heidelberg.osm.pbf", { full: 0.995, mistake: 0.97, cut: 0.99, reverse: 0.99 }],
  ["Santa Clara", "openaddresses-us-ca-santa_clara.zip", { full: 0.995, mistake: 0.97, cut: 0.99, reverse: 0.99 }],
];

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function open(file: string): Promise<Built> {
  const path = join(EXTRACTS, file);
  if (!file.endsWith(".zip")) return buildAddresses([path]);
  const cache = await mkdtemp(join(tmpdir(), "graticule-addresses-"));
  folders.push(cache);
  const { addresses } = await findSources([path], { cache, reporter: silent });
  return buildAddresses([], addresses);
}

/** The first; EVERY_EXTRACT=1 takes all. */
const TAKEN = process.env.EVERY_EXTRACT ? TOWNS : TOWNS.slice(0, 1);

for (const [town, file, reached] of TAKEN) {
  const there = existsSync(join(EXTRACTS, file));
  describe(`${town}${there ? "" : " (skipped: no extract)"}`, () => {
    it.skipIf(!there)(
      "is found: complete, with a mistake, cut short, and by coordinates",
      async () => {
        const { index } = await open(file);
        const sample = (await sampleHouses(index, 600, 99)).filter(isReported);
        const seen: Record<string, number> = {};
        for (const kind of KINDS) {
          const cases = casesOf(kind, sample, 1).filter(({ odd }) => !odd);
          let hits = 0;
          for (const one of cases) {
            const { text, near } = one;
            const answers = await search([index], text, { ...kind.options, near });
            if (answers.slice(0, kind.among).some((answer) => isHit(one, answer))) hits++;
          }
          seen[kind.name] = hits / cases.length;
        }
        const draw = randomFrom(1);
        let onStreet = 0;
        for (const house of sample) {
          if (isOnStreet(house, await nearby([index], destination(house.at, draw() * 360, 5), "en"))) onStreet++;
        }
        seen.reverse = onStreet / sample.length;
        for (const [what, least] of Object.entries(reached)) {
          expect([what, seen[what]]).toEqual([what, expect.toSatisfy((share: number) => share >= least)]);
        }
      },
      120_000,
    );
  });
}
