import { importanceOfArea } from "../../../core/geocoding/entry/areas.ts";
import { NO_CONTEXT } from "../../../core/geocoding/entry/entry.ts";
import type { LayerOutput } from "../../frame/layer.ts";
import { natureForGeocoding } from "../../world/lists.ts";
import { countryAround } from "../../world/local-names.ts";
import type { peopleFinder } from "../../world/people.ts";
import type { WorldEntries } from "./world-entries.ts";

/**
 * Islands and regions that no country has as a unit: Java, Crete, Patagonia. They are found as states are; one that is a state, such as
 * Sicily, is that state.
 */
export function addIslands(entries: WorldEntries, out: LayerOutput, peopleIn: ReturnType<typeof peopleFinder>): void {
  const found = natureForGeocoding().map((one) => ({
    ...one,
    country: countryAround([one.longitude, one.latitude]) ?? "",
  }));
  // Before the first is added: an island may be called like another one.
  const fresh = found.filter(({ country, name }) => !entries.hasArea(country, name));
  for (const { country, name, names, aliases, latitude, longitude, width } of fresh) {
    entries.entry({
      kind: "state",
      name,
      context: { ...NO_CONTEXT, countryCode: country },
      postalCode: "",
      latitude,
      longitude,
      importance: importanceOfArea(width * 1000, peopleIn({ latitude, longitude }, width, country)),
      names,
      aliases,
    });
    out.count("island or region");
  }
}
