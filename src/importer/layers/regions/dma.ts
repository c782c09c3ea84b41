import { readFileSync } from "node:fs";
import { changed } from "../../../core/regions/packed-shape.ts";
import type { RegionShape } from "../../../core/regions/region-shape.ts";
import { readCsv } from "../../../worker/wire/tables/csv.ts";
import { ImportError } from "../../common/import-error.ts";

/** FIPS number of a county → its designated market area. */
type DmaTable = ReadonlyMap<string, { code: string; name: string }>;

/**
 * The operator's table of market areas, CSV with a county's FIPS number, the area's code and its name on each line:
 *
 *     fips,code,name
 *     36047,501,"New York, NY"
 *
 * A header is allowed, a FIPS number may lack its leading zero. Throws an ImportError that names the line.
 */
export function readDmaTable(path: string): DmaTable {
  return parseDmaTable(readFileSync(path, "utf8"));
}

export function parseDmaTable(text: string): DmaTable {
  const table = new Map<string, { code: string; name: string }>();
  for (const [i, { line, cells }] of readCsv(text).entries()) {
    const [fips, code, name] = cells.map((cell) => cell.trim());
    if (/^\d{4,5}$/.test(fips) && code && name) {
      const county = fips.padStart(5, "0");
      if (table.has(county)) throw new ImportError(`--dma: line ${line}: county ${county} occurs twice`);
      table.set(county, { code, name });
    } else if (i > 0) {
      throw new ImportError(`--dma: line ${line}: expected "county FIPS,code,name", found "${cells.join(",")}"`);
    }
  }
  if (table.size === 0) throw new ImportError('--dma: no line of the form "county FIPS,code,name"');
  return table;
}

/** Counties with their market areas. Only those of the US have a FIPS number for a code. */
export function withDma(shapes: readonly RegionShape[], table: DmaTable): RegionShape[] {
  return shapes.map((shape) => {
    const dma = shape.kind === "county" ? table.get(shape.code) : undefined;
    return dma ? changed(shape, { dma }) : shape;
  });
}
