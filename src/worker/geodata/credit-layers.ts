import { type Asking, openGeodata } from "./live.ts";
import type { ObjectBucket } from "./object-bucket.ts";

/**
 * Credits the sources of some layers of all live builds. For a response created elsewhere, such as the result of a job:
 * the objects it was read from are unknown, and crediting too many is harmless.
 */
export async function creditLayers(bucket: ObjectBucket, asking: Asking, layers: readonly string[]): Promise<void> {
  const geodata = await openGeodata(bucket, asking);
  for (const source of geodata.builds) {
    for (const layer of layers) if (Object.hasOwn(source.build.layers, layer)) geodata.credit(source, layer);
  }
}
