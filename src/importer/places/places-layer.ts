import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CATEGORY_TAGS, categoriesOf } from "../../places/categories.ts";
import { ChainDomains } from "../../places/chain-domains.ts";
import { chainOf } from "../../places/chains.ts";
import { type AirportRecord, packPlaces } from "../../places/pack.ts";
import { type PlaceAddress, type PlaceSource, placeKey } from "../../places/place.ts";
import { PLACES_VERSION, type PlaceRecord } from "../../places/tile.ts";
import type { Bounds, Layer, LayerOutput } from "../layer.ts";
import type { OsmElement } from "../osm/element.ts";
import { type Footprint, footprintOf, footprintOfParts, POINT_FOOTPRINT } from "./footprint.ts";
import { iataCodes } from "./iata-codes.ts";
import { readOperatorPlaces } from "./operator-places.ts";

/** Points of interest of the extracts, and of an operator's own list. */
export const placesLayer: Layer = {
  name: "places",
  formatVersion: PLACES_VERSION,
  summary: "shops, restaurants, stations, parks … with chains and categories",
  files: ["places"],
  reads: { nodes: CATEGORY_TAGS, ways: CATEGORY_TAGS, relations: CATEGORY_TAGS },

  async build(input, out, progress) {
    const places: PlaceRecord[] = [];
    const airports: AirportRecord[] = [];
    const domains = new ChainDomains();
    const take = (element: OsmElement, where: () => Footprint | undefined) => {
      const made = placeOf(element, where, out);
      if (!made) return;
      progress.advance();
      out.count("places");
      places.push(made);
      if (made.chain) domains.add(made.chain, element.tags);
      for (const iata of iataCodes(element.tags)) airports.push({ iata, place: made });
    };
    await input.scan({
      node: (node) => take(node, () => ({ center: node, radius: POINT_FOOTPRINT })),
      way: (way) => take(way, () => footprintOf(input.line(way))),
      relation: (relation) =>
        take(relation, () => footprintOfParts(input.multipolygon(relation, { partial: true }) ?? [])),
    });
    for (const { chain } of places) {
      const domain = chain && domains.of(chain);
      if (chain && domain !== undefined) chain.domain = domain;
    }
    if (input.files.places) {
      const own = readOperatorPlaces(await readFile(input.files.places, "utf8"), basename(input.files.places));
      places.push(...own);
      for (const box of [...input.extracts.map(({ bounds }) => bounds), ...boxAround(own)]) out.area(box);
      out.count("places of the operator", own.length);
      out.source({ name: basename(input.files.places), url: "", licence: "the operator's own" });
    }
    out.count("airports with a code", airports.length);
    if (places.length === 0) return;
    for (const { key, bytes } of packPlaces(places, airports)) {
      if (key.startsWith("places/tile/")) out.count("tiles");
      await out.write(key, bytes);
    }
  },
};

/** The box within which places of a list can be near [degrees]: up to 10 km, so twice that in high latitudes. */
function boxAround(places: readonly PlaceRecord[]): Bounds[] {
  if (places.length === 0) return [];
  const latitudes = places.map(({ location }) => location.latitude);
  const longitudes = places.map(({ location }) => location.longitude);
  const margin = 0.1;
  return [
    [
      Math.max(-180, lowest(longitudes) - 2 * margin),
      Math.max(-90, lowest(latitudes) - margin),
      Math.min(180, -lowest(longitudes.map((value) => -value)) + 2 * margin),
      Math.min(90, -lowest(latitudes.map((value) => -value)) + margin),
    ],
  ];
}

const lowest = (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value));

/** A place, if the tags make one and it can be located. What is left out is counted. */
function placeOf(element: OsmElement, where: () => Footprint | undefined, out: LayerOutput): PlaceRecord | undefined {
  const { type, id, tags } = element;
  const categories = categoriesOf(tags);
  if (categories.length === 0) return undefined;
  const chain = chainOf(tags);
  const name = tags.name ?? tags["name:en"] ?? chain?.name;
  if (!name) {
    out.count("left out: no name");
    return undefined;
  }
  if (tags.disused === "yes" || tags.abandoned === "yes") {
    out.count("left out: disused");
    return undefined;
  }
  const footprint = where();
  if (!footprint) {
    out.count("left out: no geometry");
    return undefined;
  }
  const { latitude, longitude } = footprint.center;
  return {
    key: placeKey(type satisfies PlaceSource, id),
    name,
    chain,
    categories,
    location: { latitude, longitude },
    footprint: footprint.radius,
    address: addressOf(tags),
  };
}

/** A place without a street says nothing that the regions around it do not. */
function addressOf(tags: OsmElement["tags"]): PlaceAddress | undefined {
  const street = tags["addr:street"] ?? tags["addr:place"] ?? "";
  if (street === "") return undefined;
  const state = tags["addr:state"] ?? tags["addr:province"] ?? "";
  return {
    number: tags["addr:housenumber"] ?? "",
    street,
    city: tags["addr:city"] ?? "",
    stateCode: /^[A-Za-z]{2,3}$/.test(state) ? state.toUpperCase() : "",
    postalCode: tags["addr:postcode"] ?? "",
  };
}
