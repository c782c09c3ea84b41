import { streetsNote } from "../../../core/maps/attribution.ts";
import { fitBounds, fitView, tilesBehind, type View } from "../../../core/maps/base/view.ts";
import { type Overlay, subjectsOf } from "../../../core/maps/overlay.ts";
import { renderJpeg, renderPng, renderWebp } from "../../../core/maps/render.ts";
import { layOutScene } from "../../../core/maps/scene.ts";
import { renderSvg } from "../../../core/maps/scene-svg.ts";
import type { PlacedTile } from "../../../core/maps/shapes/shapes.ts";
import { STREETS_ZOOM } from "../../../core/maps/tiles/overview.ts";
import { MAX_ZOOM } from "../../../core/maps/tiles/plane.ts";
import type { IconSource } from "../../answers/maps/icons.ts";
import { noteLack, tellLack } from "../../answers/maps/lacking-glyphs.ts";
import { mapFonts, readyToDraw } from "../../answers/maps/map-assets.ts";
import type { ReadyStyle } from "../../answers/maps/style.ts";
import type { Basemap } from "../../geodata/basemap.ts";
import type { Geodata } from "../../geodata/live.ts";
import { mapTiles } from "../../geodata/map-tiles.ts";
import { terrainSources, terrainTiles } from "../../geodata/terrain.ts";
import type { OverlayFields } from "../../wire/maps/overlay-fields.ts";
import type { paddingOf, StaticMapFields } from "../../wire/maps/static-map-fields.ts";
import { attributionHeader } from "../serve/attribution.ts";
import type { Call, Reply } from "../serve/endpoint.ts";
import { keepMap, passingMap } from "./finished-maps.ts";

/** Zoom for a single point. */
const POINT_ZOOM = 16;
const BBOX_ZOOM = 23;

const RENDERERS = { png: renderPng, webp: renderWebp, jpeg: renderJpeg };

/** The data below a map. */
export interface MapGround {
  geodata: Geodata;
  basemap: Basemap;
  hasTerrain: boolean;
  /** Version of the terrain; empty without. */
  hills: string;
}

/** The parameters of a map, with names as positions. */
export type PlacedMapFields = Omit<StaticMapFields, "center" | "padding"> & {
  center: View["center"] | undefined;
  padding: ReturnType<typeof paddingOf>;
};

/** What is drawn. */
export interface MapPlan {
  asked: PlacedMapFields;
  fields: OverlayFields;
  style: ReadyStyle;
  icons: IconSource;
  /** The style layer above the paths. */
  beforeLayer: string | undefined;
}

/** Draws a map, and keeps it if nothing is missing. */
export async function drawMap(call: Call, ground: MapGround, plan: MapPlan, etag: string): Promise<Reply> {
  const { asked, fields, icons } = plan;
  const { geodata, basemap, hasTerrain } = ground;
  const { pace } = call;
  readyToDraw();
  const loadedIcons = await icons.load(asked.scale);
  const overlay = overlayOf(fields, loadedIcons);
  const view = viewOf(asked, overlay);
  const terrain = hasTerrain ? await terrainTiles(geodata, view, pace) : { drawn: [], isWhole: true };
  const tiles = [...(await mapTiles(basemap, view, pace)), ...terrain.drawn];
  // Only known exactly after the tiles are loaded.
  const ofTiles = basemap.sourcesIn(tilesBehind(view, MAX_ZOOM));
  const sources = terrain.drawn.length > 0 ? [...ofTiles, ...terrainSources(geodata, view)] : ofTiles;
  call.credit(sources);
  const fonts = mapFonts(basemap, tiles);
  const note = asked.streets_note && !(await hasStreets(basemap, view, tiles)) ? streetsNote(asked.language) : "";
  const scene = await layOutScene({ ...sceneOf(plan), view, tiles, overlay, sources, note }, fonts, pace);
  noteLack(etag, scene.lacksGlyphs);
  tellLack(etag, call);
  const bytes = asked.format === "svg" ? renderSvg(scene) : await RENDERERS[asked.format](scene, fonts, pace);
  const map = { bytes, attribution: attributionHeader(sources) ?? "" };
  const isWhole = basemap.whole && terrain.isWhole;
  return loadedIcons.failed > 0 || !isWhole
    ? passingMap(map, asked.format, loadedIcons.failed, isWhole)
    : keepMap(call, map, etag, asked.format);
}

/** Whether an import has streets around a view, or the view is too wide for the question. */
async function hasStreets(basemap: Basemap, view: View, tiles: readonly PlacedTile[]): Promise<boolean> {
  if (view.zoom < STREETS_ZOOM || tiles.some(({ tile }) => tile.has("roads"))) return true;
  return basemap.hasStreets(tilesBehind(view, MAX_ZOOM));
}

function sceneOf({ asked: { scale, attribution }, style: { style, icons, form }, beforeLayer }: MapPlan) {
  return {
    ...{ scale, style, icons, form, attribution: attribution === "false" ? ("none" as const) : attribution },
    ...(beforeLayer !== undefined && { beforeLayer }),
  };
}

function viewOf({ width, height, center, zoom, bbox, padding }: PlacedMapFields, overlay: Overlay): View {
  const fit = { width, height, padding, maxZoom: POINT_ZOOM, center, zoom };
  if (bbox) return fitBounds(bbox, { ...fit, maxZoom: BBOX_ZOOM });
  return fitView(subjectsOf(overlay), fit);
}

function overlayOf({ markers, paths }: OverlayFields, loadedIcons: Awaited<ReturnType<IconSource["load"]>>): Overlay {
  return {
    paths,
    markers: markers.flatMap(({ icon, locations, ...look }) => {
      const image = icon === undefined ? undefined : loadedIcons.icons.get(icon);
      return locations.map((at) => ({ ...look, at, ...(image && { icon: image }) }));
    }),
  };
}
