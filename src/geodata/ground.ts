import type { DataSource } from "../geo/builds/manifest.ts";
import type { Glyph } from "../maps/text/glyphs.ts";
import type { Rect } from "../maps/tiles/clip.ts";

/** An archive, the part of the plane it draws, and the name of its content. */
export interface Ground {
  id: string;
  rects: readonly Rect[];
  sources: readonly DataSource[];
  /** True for an archive of the whole world that the operator chose: what it does not show does not exist. */
  tellsAll?: boolean;
  /** Of its tiles, for whoever wants one of zoom z. A first look may cost a read; afterwards they are known. @throws UnreadableObject */
  zooms(z: number): Promise<Zooms>;
  /** The zooms, where this isolate has seen them. */
  knownZooms(): Zooms | undefined;
  /** @throws UnreadableObject */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  /** The glyphs that it brings along for its names, of units; absent where it brings none. @throws UnreadableObject */
  glyphs?(units: readonly string[]): Promise<ReadonlyMap<string, Glyph>>;
  /** All units for which it brings glyphs along. @throws UnreadableObject */
  units?(): Promise<Iterable<string>>;
}

export interface Zooms {
  minZoom: number;
  maxZoom: number;
}
