import { NamesTile } from "../../../src/core/geocoding/index/names-tile.ts";

/** Keeps what it decoded, so that the process can be weighed. */
const kept: NamesTile[] = [];

/** Decodes the tile in the body as often as asked: workerd's own clock stands still meanwhile, so the caller takes the time. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    let entries = 0;
    for (let i = Number(searchParams.get("times")); i > 0; i--) {
      const tile = new NamesTile(bytes.slice());
      entries = tile.count;
      if (searchParams.has("keep")) kept.push(tile);
    }
    return Response.json({ entries, kept: kept.length });
  },
};
