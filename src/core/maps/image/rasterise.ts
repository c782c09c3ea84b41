import { type Output, Resvg } from "./resvg.ts";

let resvg: Resvg | undefined;

/** Starts the rasterizer; its compiled module is passed in, because a Worker cannot compile. Once per isolate. */
export function startRasteriser(module: WebAssembly.Module): void {
  resvg ??= new Resvg(module);
}

/**
 * Draws a generated SVG at its own size. @throws ResvgError, or the error of a trap; the next drawing is not affected
 */
export function draw<T>(svg: Uint8Array, output: Output<T>): T {
  if (!resvg) throw new Error("the rasteriser was not started");
  return resvg.draw(svg, output);
}

/** SVG → RGBA pixels, colors premultiplied by alpha. */
export function rasterise(svg: Uint8Array): { pixels: Uint8Array; width: number; height: number } {
  return draw(svg, ({ width, height, pixels }) => ({ width, height, pixels: pixels() }));
}

/** SVG → a PNG file with transparency. */
export function svgToPng(svg: string): Uint8Array {
  return draw(new TextEncoder().encode(svg), ({ png }) => png());
}
