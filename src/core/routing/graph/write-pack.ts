import { ByteWriter } from "../../geo/bytes/bytes.ts";
import { type PackCell, UNREACHABLE } from "./pack.ts";

/** The payload of a pack; for the format see `Pack`. */
export function writePack(cliques: readonly PackCell[]): ByteWriter {
  const out = new ByteWriter();
  out.unsigned(cliques.length);
  for (const { ins, outs, weight, duration, distance } of cliques) {
    out.unsigned(ins.length);
    out.unsigned(outs.length);
    for (let i = 0; i < ins.length; i++) out.unsigned(ins[i] - (i > 0 ? ins[i - 1] : 0));
    for (let i = 0; i < outs.length; i++) out.signed(outs[i] - (i > 0 ? outs[i - 1] : 0));
    const plane = (value: (at: number) => number) => {
      const values = weight.map((one, at) => (one < UNREACHABLE ? value(at) : 0));
      for (const difference of planeDifferences(values, outs.length)) out.signed(difference);
    };
    plane((at) => weight[at] + 1);
    plane((at) => weight[at] - duration[at]);
    plane((at) => distance[at]);
  }
  for (const { codes } of cliques) {
    out.unsigned(codes.length);
    for (let i = 0; i < codes.length; i++) out.unsigned(codes[i] - (i > 0 ? codes[i - 1] : 0));
  }
  let last = 0;
  cliques.forEach(({ hours }, cell) => {
    if (!hours) return;
    out.unsigned(cell - last);
    out.bytes(hours);
    last = cell;
  });
  return out;
}

/** The differences a plane is written as. */
function planeDifferences(plane: Int32Array, width: number): Int32Array {
  return plane.map((value, at) => {
    const left = at % width > 0 ? plane[at - 1] : 0;
    if (at < width) return value - left;
    const aboveLeft = at % width > 0 ? plane[at - width - 1] : 0;
    return value - (plane[at - width] + left - aboveLeft);
  });
}
