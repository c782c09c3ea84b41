/**
 * terra-draw 1.35 with its MapLibre adapter 1.4 (MIT, 34 KB gzipped together, 2026-10), in a separate chunk that is
 * loaded for drawing. We use it for touch, snapping and midpoints.
 */
import type { Map as MapLibre } from "maplibre-gl";
import {
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawModeUndoRedo,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { MapColours } from "../marks/palette.ts";

export function makeDrawing(map: MapLibre, { accent, casing }: MapColours): TerraDraw {
  const fill = asHex(accent);
  const edge = asHex(casing);
  const area = { fillColor: fill, fillOpacity: 0.2, outlineColor: fill, outlineWidth: 3 };
  const corners = { draggable: true, midpoints: true, deletable: true };
  return new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
    undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
    modes: [
      new TerraDrawPolygonMode({
        styles: { ...area, closingPointColor: fill, closingPointOutlineColor: edge, closingPointWidth: 6 },
      }),
      new TerraDrawLineStringMode({
        styles: { lineStringColor: fill, lineStringWidth: 4, closingPointColor: fill, closingPointOutlineColor: edge },
      }),
      new TerraDrawPointMode({
        styles: { pointColor: fill, pointWidth: 8, pointOutlineColor: edge, pointOutlineWidth: 2 },
      }),
      new TerraDrawSelectMode({
        allowManualDeselection: false,
        // Deleting is the form's, with a typed confirmation; a key would take the shape from under it.
        keyEvents: { deselect: null, delete: null, rotate: null, scale: null },
        flags: {
          polygon: { feature: { draggable: true, selfIntersectable: true, coordinates: corners } },
          linestring: { feature: { draggable: true, coordinates: corners } },
          point: { feature: { draggable: true } },
        },
        styles: {
          selectedPolygonColor: fill,
          selectedPolygonFillOpacity: 0.2,
          selectedPolygonOutlineColor: fill,
          selectedPolygonOutlineWidth: 3,
          selectedLineStringColor: fill,
          selectedLineStringWidth: 4,
          selectedPointColor: fill,
          selectedPointOutlineColor: edge,
          selectionPointColor: edge,
          selectionPointOutlineColor: fill,
          selectionPointOutlineWidth: 3,
          selectionPointWidth: 6,
          midPointColor: fill,
          midPointOutlineColor: edge,
          midPointWidth: 4,
        },
      }),
    ],
  });
}

const asHex = (colour: string) => colour as `#${string}`;
