import { type Asking, openGeodata } from "./live.ts";
import type { ObjectBucket } from "./object-bucket.ts";

/**
 * Names the sources of some layers of all live builds. For an answer that was made elsewhere, as the result of a job is: nobody remembers
 * which objects it was read from, and a name too many does no harm.
 */
export async function creditLayers(bucket: ObjectBucket, asking: Asking, layers: readonly string[]): Promise<void> {
  const geodata = await openGeodata(bucket, asking);
  for (const source of geodata.builds) {
    for (const layer of layers) if (Object.hasOwn(source.build.layers, layer)) geodata.credit(source, layer);
  }
}
