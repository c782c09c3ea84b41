import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CATEGORY_TAGS, categoriesOf } from "../../../core/places/categories.ts";
import { ChainDomains } from "../../../core/places/chain-domains.ts";
import { chainOf } from "../../../core/places/chains.ts";
import { detailsOf } from "../../../core/places/details.ts";
import { PlacePacker } from "../../../core/places/pack.ts";
import { type PlaceAddress, type PlaceSource, placeKey } from "../../../core/places/place.ts";
import { PLACES_VERSION, type PlaceRecord } from "../../../core/places/tile.ts";
import type { Layer, LayerOutput } from "../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../frame/spill.ts";
import type { OsmElement } from "../../osm/pbf/element.ts";
import { type Footprint, footprintOf, footprintOfParts, POINT_FOOTPRINT } from "./footprint.ts";
import { iataCodes } from "./iata-codes.ts";
import { operatorPlacesIn, readOperatorPlaces } from "./operator-places.ts";
import { areaAround, OverturePlaces } from "./overture-places.ts";

/** Points of interest of the extracts, and of an operator's own list. */
export const placesLayer: Layer = {
  name: "places",
  formatVersion: PLACES_VERSION,
  summary: "shops, restaurants, stations, parks … with chains and categories",
  files: ["places", "overturePlaces"],
  checks: { places: async (path) => readOperatorPlaces(await readFile(path, "utf8"), basename(path)) },
  reads: { nodes: CATEGORY_TAGS, ways: CATEGORY_TAGS, relations: CATEGORY_TAGS },
  // How much there is in every cell, and what chains' places say of their sites; the rest is on disk.
  minMemory: ({ pois }) => 32_000_000 + 20 * pois,

  async build(input, out, progress) {
    const store = new SpillFile(input.resources.path("places"));
    const packer = new PlacePacker(sortersIn(input.resources, 0.3), store);
    const domains = new ChainDomains();
    const others = input.files.overturePlaces;
    const overture = others === undefined ? undefined : await OverturePlaces.open(others, input.resources);
    const take = (element: OsmElement, where: () => Footprint | undefined) => {
      const made = placeOf(element, where, out);
      if (!made) return;
      progress.advance();
      out.count("places");
      packer.add(made);
      overture?.meet(made, otherNamesOf(element.tags));
      if (made.chain) domains.add(made.chain, element.tags);
      for (const iata of iataCodes(element.tags)) {
        packer.addAirport({ iata, place: made });
        out.count("airports with a code");
      }
    };
    out.count("airports with a code", 0);
    await input.scan({
      node: (node) => take(node, () => ({ center: node, radius: POINT_FOOTPRINT })),
      way: (way) => take(way, () => footprintOf(input.line(way))),
      relation: (relation) =>
        take(relation, () => footprintOfParts(input.multipolygon(relation, { partial: true }) ?? [])),
    });
    if (input.files.places || overture) for (const { bounds } of input.extracts) out.area(bounds);
    if (input.files.places) await takeOwn(input.files.places, packer, out, (place) => overture?.meet(place, []));
    await overture?.add(packer, out, progress);
    // Of the operator's places the map knows no domain.
    const operators = placeKey("operator", 0).high;
    const domainOf = ({ key, chain }: PlaceRecord) => (chain && key.high < operators ? domains.of(chain) : undefined);
    if (packer.count > 0) {
      for (const { key, bytes } of packer.finish(domainOf)) {
        if (key.startsWith("places/tile/")) out.count("tiles");
        await out.write(key, bytes);
      }
    }
    store.close();
  },
};

/** Places of the operator's file, and the area in which they can be near: up to 10 km, so twice that in high latitudes. */
async function takeOwn(
  path: string,
  packer: PlacePacker,
  out: LayerOutput,
  meet: (place: PlaceRecord) => void,
): Promise<void> {
  const box = { west: 180, south: 90, east: -180, north: -90 };
  let count = 0;
  for await (const places of operatorPlacesIn(path)) {
    for (const place of places) {
      packer.add(place);
      meet(place);
      const { latitude, longitude } = place.location;
      box.west = Math.min(box.west, longitude);
      box.east = Math.max(box.east, longitude);
      box.south = Math.min(box.south, latitude);
      box.north = Math.max(box.north, latitude);
    }
    count += places.length;
  }
  if (count > 0) out.area(areaAround([box.west, box.south, box.east, box.north]));
  out.count("places of the operator", count);
  out.source({ name: basename(path), url: "", licence: "the operator's own" });
}

/** Names that another source may have for it. */
const OTHER_NAMES = ["name:en", "alt_name", "official_name", "short_name", "brand", "operator"] as const;

function otherNamesOf(tags: OsmElement["tags"]): string[] {
  return OTHER_NAMES.flatMap((key) => tags[key]?.split(";") ?? []);
}

/** A place, if the tags make one and it can be located. Skipped elements are counted. */
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
    details: detailsOf(tags),
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
