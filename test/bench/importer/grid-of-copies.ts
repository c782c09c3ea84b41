import { BlobFile, unpackBlob } from "../../../src/importer/osm/pbf/blob-file.ts";
import { decodeBlock } from "../../../src/importer/osm/pbf/decode-block.ts";
import type { OsmElement, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";

/**
 * A country made of cities: copies of real extracts side by side in a grid, so that an import meets real tags, names and densities in a
 * size of which no extract is at hand. Each copy has ids, a place and names of its own:
 *
 *     ids          the pages of 256 ids that an extract uses, packed one behind the other: as dense as those of a country
 *     places       moved by whole cells of the grid, at about the latitude they were in
 *     names        the last word of each gets an ending that tells the copy: "Main Street" → "Main Streetba"
 *
 * The extracts must be sorted, as all that are cut by osmium are; so is what comes out. Memory is that of a few blocks.
 */
export interface GridOptions {
  /** Real extracts; the copies take turns. */
  sources: readonly string[];
  copies: number;
}

type Kind = OsmElement["type"];
const KINDS = ["node", "way", "relation"] as const;
const PLURAL = { node: "nodes", way: "ways", relation: "relations" } as const;

/** Where the grid begins, and how large the cells between the middles of copies are [degrees]. */
const WEST = 2;
const SOUTH = 42;
const CELL = 0.5;

/** The keys of what is called by name. */
const NAMED = /^(name|addr:(street|city|place|suburb)|(alt|old|official|short)_name|brand|operator)(:|$)/;

interface Source {
  path: string;
  file: BlobFile;
  /** Pages of ids, ascending, in use among the elements of a kind, and in what names them. */
  pages: Record<Kind, Float64Array>;
  middle: { latitude: number; longitude: number };
}

/** Writes the grid as one sorted extract; says after each copy how far it is. */
export async function writeGridOfCopies(
  path: string,
  { sources: paths, copies }: GridOptions,
  done: (parts: number, of: number) => void = () => {},
): Promise<void> {
  const sources: Source[] = [];
  for (const source of paths) sources.push(await survey(source));
  const across = Math.ceil(Math.sqrt(copies));
  const half = CELL / 2;
  const bounds = [WEST - half, SOUTH - half, WEST + across * CELL - half, SOUTH + across * CELL - half] as const;
  try {
    await writePbf(path, elementsOf(sources, copies, across, done), {
      bounds,
      writingProgram: "graticule grid of copies",
    });
  } finally {
    for (const { file } of sources) await file.close();
  }
}

async function* elementsOf(
  sources: readonly Source[],
  copies: number,
  across: number,
  done: (parts: number, of: number) => void,
): AsyncGenerator<OsmElement> {
  let parts = 0;
  for (const kind of KINDS) {
    const first: Record<Kind, number> = { node: 1, way: 1, relation: 1 };
    for (let copy = 0; copy < copies; copy++) {
      const source = sources[copy % sources.length];
      const change = changing(source, copy, across, { ...first });
      for await (const elements of blocks(source, kind)) {
        for (const element of elements) yield change(element);
      }
      for (const each of KINDS) first[each] += source.pages[each].length * 256;
      done(++parts, 3 * copies);
    }
  }
}

/** What turns an element of the source into that of a copy. */
function changing(
  { pages, middle }: Source,
  copy: number,
  across: number,
  first: Record<Kind, number>,
): (element: OsmElement) => OsmElement {
  const east = WEST + (copy % across) * CELL - middle.longitude;
  const north = SOUTH + Math.floor(copy / across) * CELL - middle.latitude;
  const ending = syllables(copy);
  const idOf = (kind: Kind, id: number) => first[kind] + rankOf(pages[kind], Math.floor(id / 256)) * 256 + (id % 256);
  const move = (degrees: number, by: number) => Math.round((degrees + by) * 1e7) / 1e7;
  return (element) => {
    const id = idOf(element.type, element.id);
    const tags = renamed(element.tags, ending);
    if (element.type === "node") {
      const { latitude, longitude } = element;
      return { type: "node", id, latitude: move(latitude, north), longitude: move(longitude, east), tags };
    }
    if (element.type === "way") return { type: "way", id, refs: element.refs.map((ref) => idOf("node", ref)), tags };
    const members = element.members.map(({ type, ref, role }) => ({ type, ref: idOf(type, ref), role }));
    return { type: "relation", id, members, tags };
  };
}

function renamed(tags: Tags, ending: string): Tags {
  let out: Record<string, string> | undefined;
  for (const key in tags) {
    if (!NAMED.test(key)) continue;
    out ??= { ...tags };
    out[key] = tags[key] + ending;
  }
  return out ?? tags;
}

/** 0 → "", 1 → "be", 2 → "bi" … : an ending for each copy. */
function syllables(copy: number): string {
  const [consonants, vowels] = ["bdfgklmnprst", "aeiou"];
  let text = "";
  for (let rest = copy; rest > 0; rest = Math.floor(rest / 60)) {
    const digit = rest % 60;
    text += consonants[Math.floor(digit / vowels.length)] + vowels[digit % vowels.length];
  }
  return text;
}

async function survey(path: string): Promise<Source> {
  const file = await BlobFile.open(path);
  const pages: Record<Kind, Set<number>> = { node: new Set(), way: new Set(), relation: new Set() };
  const box = [180, 90, -180, -90];
  const use = (kind: Kind, id: number) => pages[kind].add(Math.floor(id / 256));
  const source = { path, file } as Source;
  for (const kind of KINDS) {
    for await (const elements of blocks(source, kind)) {
      for (const element of elements) {
        use(kind, element.id);
        if (element.type === "way") for (const ref of element.refs) use("node", ref);
        if (element.type === "relation") for (const { type, ref } of element.members) use(type, ref);
        if (element.type !== "node") continue;
        box[0] = Math.min(box[0], element.longitude);
        box[1] = Math.min(box[1], element.latitude);
        box[2] = Math.max(box[2], element.longitude);
        box[3] = Math.max(box[3], element.latitude);
      }
    }
  }
  const sorted = (set: Set<number>) => Float64Array.from(set).sort();
  const middle = { latitude: (box[1] + box[3]) / 2, longitude: (box[0] + box[2]) / 2 };
  return {
    ...source,
    middle,
    pages: { node: sorted(pages.node), way: sorted(pages.way), relation: sorted(pages.relation) },
  };
}

/** The elements of a kind, block by block. */
async function* blocks({ path, file }: Source, kind: Kind): AsyncGenerator<OsmElement[]> {
  for (const place of file.blobs) {
    const elements: OsmElement[] = [];
    const take = (element: OsmElement) => void elements.push(element);
    decodeBlock(
      unpackBlob(await file.readBlob(place), path),
      { node: take, way: take, relation: take },
      { [PLURAL[kind]]: true },
    );
    if (elements.length > 0) yield elements;
  }
}

/** The place of a page in the ascending list. */
function rankOf(pages: Float64Array, page: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pages[middle] < page) low = middle + 1;
    else high = middle;
  }
  return low;
}
