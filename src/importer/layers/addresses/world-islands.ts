import { importanceOfArea } from "../../../core/geocoding/entry/areas.ts";
import { NO_CONTEXT } from "../../../core/geocoding/entry/entry.ts";
import type { AddressCollector } from "../../../core/geocoding/index/collector.ts";
import { fold } from "../../../core/geocoding/words/normalise.ts";
import type { LayerOutput } from "../../frame/layer.ts";
import { natureForGeocoding } from "../../world/lists.ts";
import { countryAround } from "../../world/local-names.ts";

/**
 * Islands and regions that no country has as a unit: Java, Crete, Patagonia. They are found as states are; one that is a state, such as
 * Sicily, is that state.
 */
export function addIslands(collector: AddressCollector, out: LayerOutput): void {
  const states = new Set<string>();
  for (const { kind, name, names = [], aliases = [], context } of collector.entries) {
    if (kind !== "state" && kind !== "country") continue;
    for (const one of [name, ...[...names, ...aliases].map(([, other]) => other)])
      states.add(`${context.countryCode} ${fold(one)}`);
  }
  for (const { name, names, aliases, latitude, longitude, width } of natureForGeocoding()) {
    const country = countryAround([longitude, latitude]) ?? "";
    if (states.has(`${country} ${fold(name)}`)) continue;
    collector.entry({
      kind: "state",
      name,
      context: { ...NO_CONTEXT, countryCode: country },
      postalCode: "",
      latitude,
      longitude,
      importance: importanceOfArea(width * 1000),
      names,
      aliases,
    });
    out.count("island or region");
  }
}
