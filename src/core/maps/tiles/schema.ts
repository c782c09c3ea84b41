/**
 * The layers of the Protomaps basemap, version 4 (docs.protomaps.com/basemaps/layers), and the fields of our tiles in
 * each, in the format of TileJSON 3. `name:xx` represents the names in ten languages.
 */
export const VECTOR_LAYERS: readonly { id: string; fields: Record<string, "String" | "Number" | "Boolean"> }[] = [
  { id: "earth", fields: { kind: "String", name: "String", "name:xx": "String", min_zoom: "Number" } },
  { id: "landcover", fields: { kind: "String" } },
  { id: "landuse", fields: { kind: "String", kind_detail: "String" } },
  {
    id: "water",
    fields: {
      kind: "String",
      kind_detail: "String",
      name: "String",
      "name:xx": "String",
      min_zoom: "Number",
      intermittent: "Boolean",
      is_tunnel: "Boolean",
    },
  },
  {
    id: "roads",
    fields: {
      kind: "String",
      kind_detail: "String",
      name: "String",
      "name:xx": "String",
      sort_rank: "Number",
      is_bridge: "Boolean",
      is_tunnel: "Boolean",
      is_link: "Boolean",
      is_covered: "Boolean",
      is_paved: "Boolean",
      oneway: "String",
      service: "String",
      ref: "String",
      shield_text: "String",
      network: "String",
      colour: "String",
    },
  },
  { id: "buildings", fields: { kind: "String", height: "Number", addr_housenumber: "String" } },
  { id: "boundaries", fields: { kind: "String", kind_detail: "Number", disputed: "Boolean" } },
  {
    id: "pois",
    fields: {
      kind: "String",
      name: "String",
      "name:xx": "String",
      min_zoom: "Number",
      iata: "String",
      elevation: "Number",
    },
  },
  {
    id: "places",
    fields: {
      kind: "String",
      kind_detail: "String",
      name: "String",
      "name:xx": "String",
      min_zoom: "Number",
      population: "Number",
      population_rank: "Number",
      rank: "Number",
      capital: "String",
    },
  },
];

/** The layers that `layers=terrain` adds. */
export const TERRAIN_LAYERS = [
  { id: "hillshade", fields: { kind: "String", level: "Number" } },
  { id: "contour", fields: { ele: "Number", kind: "String" } },
];
