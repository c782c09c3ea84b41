import { initWasm, Resvg } from "@resvg/resvg-wasm";

let ready: Promise<void> | undefined;

/** Starts the rasteriser; its compiled module comes from outside, as a Worker cannot compile. Once per isolate. */
export function startRasteriser(module: WebAssembly.Module): Promise<void> {
  ready ??= initWasm(module);
  return ready;
}

/** SVG → RGBA pixels. Both objects of resvg live in WebAssembly's memory, which nobody else would free. */
export function rasterise(svg: Uint8Array): { pixels: Uint8Array; width: number; height: number } {
  const resvg = new Resvg(svg, { font: { fontBuffers: [] } });
  try {
    const image = resvg.render();
    try {
      return { pixels: image.pixels, width: image.width, height: image.height };
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}
