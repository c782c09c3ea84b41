import type { DataSource } from "../geo/manifest.ts";
import type { Rect } from "../maps/tiles/clip.ts";

/** An archive, the part of the plane it draws, and the name of its content. */
export interface Ground {
  id: string;
  minZoom: number;
  maxZoom: number;
  rects: readonly Rect[];
  sources: readonly DataSource[];
  /** True for an archive of the whole world that the operator chose: what it does not show does not exist. */
  tellsAll?: boolean;
  /** @throws UnreadableObject */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
}
