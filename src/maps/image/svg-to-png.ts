import { Resvg } from "@resvg/resvg-wasm";

/** SVG → PNG with transparency, at its own size. The rasteriser has to be started (rasterise.ts). */
export function svgToPng(svg: string): Uint8Array {
  const resvg = new Resvg(svg, { font: { fontBuffers: [] } });
  try {
    const image = resvg.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}
