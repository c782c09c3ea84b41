import { writeFile } from "node:fs/promises";
import type { Input } from "../../index.ts";
import { type Command, numberOf, textOf, UsageError, wordsOf } from "../base/command.ts";
import { pairText, parsePair, positionOf } from "../base/position.ts";

const MODES = ["car", "truck", "foot", "bike", "motorbike"] as const;
type Mode = (typeof MODES)[number];

function modeOf(run: Parameters<Command["run"]>[0]): Mode {
  const mode = textOf(run, "mode") ?? "car";
  const found = MODES.find((one) => one === mode);
  if (!found) throw new UsageError(`--mode must be one of ${MODES.join(", ")}.`);
  return found;
}

const TEXT = { type: "string" } as const;
const MODE_TEXT = { mode: `${MODES.join(", ")}; default car` };

export const geocode: Command = {
  name: "geocode",
  usage: '"ADDRESS" | LATITUDE,LONGITUDE',
  summary: "Finds an address or place, or the address of coordinates.",
  options: { limit: TEXT, country: TEXT, lang: TEXT, near: TEXT },
  optionTexts: {
    limit: "number of results; default 5",
    country: "only these countries: US,CA",
    lang: "language of names",
    near: "LATITUDE,LONGITUDE: nearer results first",
  },
  async run(run) {
    const [query] = wordsOf(run, ["An address"]);
    const client = run.client();
    const limit = numberOf(run, "limit") ?? 5;
    const lang = textOf(run, "lang") as Input<"forwardGeocode">["lang"];
    const { addresses } = parsePair(query)
      ? await client.call("reverseGeocode", { coordinates: query, lang })
      : await client.call("forwardGeocode", {
          query,
          limit,
          lang,
          layers: "fine,coarse",
          country: textOf(run, "country"),
          near: textOf(run, "near"),
        });
    const shown = addresses.slice(0, limit);
    run.output.show(
      shown,
      shown.map(({ formattedAddress, layer, confidence, latitude, longitude }) => ({
        address: formattedAddress,
        kind: layer,
        confidence,
        coordinates: `${latitude},${longitude}`,
      })),
      "Nothing was found.",
    );
  },
};

export const route: Command = {
  name: "route",
  usage: "FROM TO [MORE …]",
  summary: "Prints the fastest route between places or coordinates, with its steps.",
  options: { mode: TEXT, depart: TEXT, units: TEXT, avoid: TEXT },
  optionTexts: {
    ...MODE_TEXT,
    depart: "ISO 8601 time",
    units: "metric (default) or imperial",
    avoid: "tolls,highways,ferries,borderCrossings",
  },
  async run(run) {
    const words = wordsOf(run, ["The start", "The destination"], Number.POSITIVE_INFINITY);
    const units = textOf(run, "units") ?? "metric";
    if (units !== "metric" && units !== "imperial") throw new UsageError("--units must be metric or imperial.");
    const client = run.client();
    const places = [];
    // One after the other: the limit of geocoding is per second.
    for (const word of words) places.push(await positionOf(client, word));
    const found = await client.directions({
      locations: places.map(pairText).join("|"),
      mode: modeOf(run),
      units,
      departureTime: textOf(run, "depart"),
      avoid: textOf(run, "avoid")?.split(",") as ("tolls" | "highways" | "ferries" | "borderCrossings")[] | undefined,
    });
    const [first] = found.routes;
    if (!first) throw new Error(found.unavailable ?? "There is no route.");
    const steps = first.legs.flatMap((leg) => leg.steps);
    run.output.say(`${places.map(({ label }) => label).join(" → ")}: ${first.distance.text}, ${first.duration.text}`);
    run.output.show(
      first,
      steps.map(({ instructions, distance, duration }) => ({
        step: instructions,
        distance: distance.text,
        time: duration.text,
      })),
      "No steps.",
    );
  },
};

export const isochrone: Command = {
  name: "isochrone",
  usage: "PLACE --minutes 5,10",
  summary: "Prints the areas that are reachable from a place, or writes them as GeoJSON.",
  options: { minutes: TEXT, metres: TEXT, mode: TEXT, output: { type: "string", short: "o" } },
  optionTexts: {
    minutes: "up to 5 travel times, such as 5,10,15",
    metres: "instead: distances along roads",
    ...MODE_TEXT,
    output: "write GeoJSON to this file",
  },
  async run(run) {
    const [place] = wordsOf(run, ["A place"]);
    const [minutes, metres, file] = ["minutes", "metres", "output"].map((name) => textOf(run, name));
    if (minutes === undefined && metres === undefined) throw new UsageError("Set --minutes or --metres.");
    const client = run.client();
    const areas = await client.call("isochrone", {
      origin: pairText(await positionOf(client, place)),
      mode: modeOf(run),
      minutes,
      metres,
    });
    if (file !== undefined) {
      await writeFile(file, JSON.stringify(areas));
      return run.output.say(`${areas.features.length} areas are in ${file}.`);
    }
    run.output.show(
      areas,
      areas.features.map(({ properties }) => ({
        minutes: properties.minutes,
        metres: properties.metres,
        "km²": (properties.area / 1e6).toFixed(2),
      })),
      "No road is near.",
    );
  },
};
