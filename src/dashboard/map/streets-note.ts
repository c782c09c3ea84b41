import type { IControl, Map as MapLibre } from "maplibre-gl";
import { STREETS_ZOOM } from "../../core/maps/tiles/overview.ts";

type Area = readonly [west: number, south: number, east: number, north: number];

/** A note in the corner of a map that is near enough for streets, where no import has any. */
export class StreetsNote implements IControl {
  readonly #box = document.createElement("div");
  #map: MapLibre | undefined;

  onAdd(map: MapLibre): HTMLElement {
    this.#map = map;
    this.#box.className = "maplibregl-ctrl streets-note";
    this.#box.textContent = "No streets imported here";
    this.#box.hidden = true;
    map.on("move", this.#show);
    map.on("idle", this.#show);
    return this.#box;
  }

  onRemove(): void {
    this.#map?.off("move", this.#show);
    this.#map?.off("idle", this.#show);
    this.#box.remove();
  }

  readonly #show = () => {
    const map = this.#map;
    if (map) this.#box.hidden = map.getZoom() < STREETS_ZOOM || areasOf(map).some((area) => isInView(area, map));
  };
}

/** The areas with streets, as the Worker's styles list them. A style of another server does not, and has streets everywhere. */
function areasOf(map: MapLibre): readonly Area[] {
  const metadata = map.getStyle()?.metadata as { "graticule:streets"?: readonly Area[] } | undefined;
  return metadata?.["graticule:streets"] ?? [EVERYWHERE];
}

const EVERYWHERE: Area = [-180, -90, 180, 90];

/** In any copy of the world. */
function isInView([west, south, east, north]: Area, map: MapLibre): boolean {
  const view = map.getBounds();
  const turn = 360 * Math.round((map.getCenter().lng - (west + east) / 2) / 360);
  const isBeside = west + turn > view.getEast() || east + turn < view.getWest();
  return !isBeside && south <= view.getNorth() && north >= view.getSouth();
}
