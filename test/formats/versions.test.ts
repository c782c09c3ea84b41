import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MANIFEST_VERSION } from "../../src/core/geo/builds/manifest.ts";
import { SEAL } from "../../src/core/geo/builds/sealed.ts";
import { CELL_LIST_VERSION } from "../../src/core/geo/cells/cell-list.ts";
import { ADDRESSES_VERSION } from "../../src/core/geocoding/entry/entry.ts";
import { AIRPORTS_VERSION } from "../../src/core/places/airports.ts";
import { DIRECTORY_VERSION } from "../../src/core/places/directory.ts";
import { PLACES_VERSION } from "../../src/core/places/tile.ts";
import { REGION_TILE_VERSION } from "../../src/core/regions/tile-format.ts";
import { OBJECTS } from "./fixed.ts";

/**
 * What the objects of fixed.ts are in each version of their format: first 16 hex digits of their SHA-256. A line that does not
 * hold means that builds of other programs cannot be read any more: raise the version, let the reader refuse or still
 * read the one before, add a line to the page below docs/formats, and then put the new line here.
 */
const BYTES: Record<string, [version: string | number, sha256: string]> = {
  seal: ["crc32c", "03eee97a80a58a3c"],
  "cell list": [1, "ddab1480c94e41c5"],
  "live.json": [1, "280e225526272d2f"],
  "tile of regions": [1, "1ab5a7886d5ebe4d"],
  "tile of places": [3, "1db0f45b636700e7"],
  "directory of places": [1, "5699046d90198245"],
  // The tile in it has its own version.
  airports: [1, "eaacfc6185a870e4"],
  "address tiles": [5, "b605df1ad86d307e"],
  "address positions": [5, "d5ae00614b0c8f06"],
  "address names": [5, "e8560e946b0f2b21"],
  "address details": [5, "56654bc16a1546ee"],
  "address prefixes": [5, "e1bc1c45cc2b636d"],
  "address words": [5, "2603678a618ff9bd"],
  "address coverage": [5, "a6153f89e3e7be88"],
};

const VERSIONS: Record<string, string | number> = {
  seal: SEAL,
  "cell list": CELL_LIST_VERSION,
  "live.json": MANIFEST_VERSION,
  "tile of regions": REGION_TILE_VERSION,
  "tile of places": PLACES_VERSION,
  "directory of places": DIRECTORY_VERSION,
  airports: AIRPORTS_VERSION,
};

describe("the bytes of a format", () => {
  it.each(Object.keys(OBJECTS))("%s: are those of its version, which is raised when they change", (name) => {
    const version = name.startsWith("address ") ? ADDRESSES_VERSION : VERSIONS[name];
    const sha256 = createHash("sha256").update(OBJECTS[name]()).digest("hex").slice(0, 16);
    expect([version, sha256]).toEqual(BYTES[name]);
  });
});
