import type { DataSource } from "../../core/geo/builds/manifest.ts";
import type { Glyph } from "../../core/maps/text/glyphs.ts";
import type { Rect } from "../../core/maps/tiles/clip.ts";

/** An archive, the part of the plane it draws, and the name of its content. */
export interface Ground {
  id: string;
  rects: readonly Rect[];
  sources: readonly DataSource[];
  /** True for an archive of the complete world chosen by the operator: data that it lacks doesn't exist. */
  isComplete?: boolean;
  /**
   * The zooms of its tiles, for a request at zoom z. The first call may need a read; afterwards they are cached.
   * @throws UnreadableObject
   */
  zooms(z: number): Promise<Zooms>;
  /** The zooms, if this isolate has read them. */
  knownZooms(): Zooms | undefined;
  /** @throws UnreadableObject */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
  /**
   * The glyphs of units that it includes for its names; absent if it includes none.
   * @throws UnreadableObject
   */
  glyphs?(units: readonly string[]): Promise<ReadonlyMap<string, Glyph>>;
  /**
   * All units with included glyphs.
   * @throws UnreadableObject
   */
  units?(): Promise<Iterable<string>>;
}

export interface Zooms {
  minZoom: number;
  maxZoom: number;
}
