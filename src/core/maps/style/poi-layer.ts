import { byZoom } from "./common-expressions.ts";
import type { Json } from "./expression.ts";
import type { Palette, PoiGroup } from "./palettes.ts";
import { KINDS_WITH_IMAGE } from "./pictograms.ts";
import type { StyleLayer } from "./style.ts";

/** Kinds of the pois layer, by group. A kind in no group is drawn as a service, at a late zoom. */
const POI_GROUPS: Record<PoiGroup, readonly string[]> = {
  food: [
    "restaurant",
    "cafe",
    "bar",
    "pub",
    "fast_food",
    "biergarten",
    "ice_cream",
    "food_court",
    "bakery",
    "nightclub",
  ],
  shop: [
    ...["supermarket", "mall", "department_store", "convenience", "books", "clothes", "electronics", "marketplace"],
    ...["grocery", "greengrocer", "butcher", "florist", "gift", "jewelry", "shoes", "beauty", "hairdresser", "shop"],
    ...["furniture", "bicycle", "optician", "chemist", "car", "doityourself", "sports"],
  ],
  culture: [
    ...["museum", "theatre", "attraction", "castle", "monument", "memorial", "artwork", "gallery", "arts_centre"],
    ...[
      "cinema",
      "viewpoint",
      "place_of_worship",
      "townhall",
      "archaeological_site",
      "ruins",
      "zoo",
      "aquarium",
      "stadium",
      "fort",
      "theme_park",
      "community_centre",
      "fountain",
    ],
  ],
  park: [
    "park",
    "garden",
    "nature_reserve",
    "playground",
    "beach",
    "peak",
    "forest",
    "camp_site",
    "golf_course",
    "national_park",
    "cemetery",
    "pitch",
    "sports_centre",
    "dog_park",
    "water_park",
    "volcano",
    "spring",
    "cave_entrance",
  ],
  transit: [
    "station",
    "bus_station",
    "aerodrome",
    "ferry_terminal",
    "halt",
    "tram_stop",
    "bus_stop",
    "airport",
    "subway_entrance",
    "terminal",
    "helipad",
    "heliport",
    "parking",
    "marina",
  ],
  health: ["hospital", "clinic", "pharmacy", "doctors", "dentist", "veterinary"],
  school: ["school", "university", "college", "kindergarten", "library"],
  lodging: ["hotel", "hostel", "motel", "guest_house", "alpine_hut"],
  service: [
    ...["bank", "atm", "post_office", "police", "fire_station", "fuel", "charging_station", "embassy"],
    ...["car_rental", "bicycle_rental", "toilets", "information", "courthouse", "drinking_water", "government"],
  ],
};
/** Icons and names of points of interest, colored by group. */
export function poiLayer(palette: Palette, text: Json, halo: Record<string, Json>): StyleLayer {
  const byGroup = (value: (group: PoiGroup) => Json): Json => [
    "match",
    ["get", "kind"],
    ...(Object.keys(POI_GROUPS) as PoiGroup[])
      .filter((group) => group !== "service")
      .flatMap((group): Json[] => [POI_GROUPS[group], value(group)]),
    value("service"),
  ];
  return {
    id: "poi",
    type: "symbol",
    "source-layer": "pois",
    minzoom: 13,
    filter: [
      "all",
      ["any", ["has", "name"], ["match", ["get", "kind"], ["parking", "toilets", "drinking_water"], true, false]],
      ["<=", ["coalesce", ["get", "min_zoom"], 17], ["+", ["zoom"], 1]],
      ["match", ["get", "kind"], Object.values(POI_GROUPS).flat(), true, false],
    ],
    layout: {
      "icon-image": [
        "match",
        ["get", "kind"],
        ...Object.entries(KINDS_WITH_IMAGE).flatMap(([name, [, kinds]]): Json[] => [[...kinds], `poi-${name}`]),
        byGroup((group) => `poi-${group}`),
      ],
      "text-field": text,
      "text-font": ["literal", ["Noto Sans Regular"]],
      "text-size": byZoom(14, 9.5, 17, 11.5),
      "text-max-width": 8,
      "text-variable-anchor": ["top", "right", "left", "bottom"],
      "text-radial-offset": 0.9,
      "text-optional": true,
      "icon-padding": 7,
      "symbol-sort-key": ["coalesce", ["get", "min_zoom"], 17],
    },
    paint: { "text-color": byGroup((group) => palette.poi[group]), ...halo },
  };
}
