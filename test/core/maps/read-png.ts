import { inflateSync } from "node:zlib";

export interface Picture {
  width: number;
  height: number;
  /** RGB. */
  pixels: Uint8Array;
}

/** Reads PNGs as our encoder writes them: 8-bit palette, rows without filter. Written apart from it, from the standard. */
export function readPng(bytes: Uint8Array): Picture {
  const buffer = Buffer.from(bytes);
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    const type = buffer.toString("latin1", at + 4, at + 8);
    chunks.set(type, [...(chunks.get(type) ?? []), buffer.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  const [header] = chunks.get("IHDR") ?? [];
  const [palette] = chunks.get("PLTE") ?? [];
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  if (header[8] !== 8 || header[9] !== 3) throw new Error("not 8-bit palette");
  const rows = inflateSync(Buffer.concat(chunks.get("IDAT") ?? []));
  if (rows.length !== (width + 1) * height) throw new Error("rows do not fit");
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    if (rows[y * (width + 1)] !== 0) throw new Error("a filtered row");
    for (let x = 0; x < width; x++) {
      const index = rows[y * (width + 1) + 1 + x];
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = palette[index * 3 + c];
    }
  }
  return { width, height, pixels };
}

/** Share of pixels that differ by more than 24 in a channel, 0 to 1; 1 when the sizes differ. */
export function difference(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differing = 0;
  for (let i = 0; i < a.pixels.length; i += 3) {
    const most = Math.max(
      Math.abs(a.pixels[i] - b.pixels[i]),
      Math.abs(a.pixels[i + 1] - b.pixels[i + 1]),
      Math.abs(a.pixels[i + 2] - b.pixels[i + 2]),
    );
    if (most > 24) differing++;
  }
  return differing / (a.width * a.height);
}
