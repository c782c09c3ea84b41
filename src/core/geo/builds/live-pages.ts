import { beginObject, openObject } from "../bytes/bytes.ts";
import { buildKey, type LiveBuild, type PageName, type PageNames, WORLD } from "./manifest.ts";
import { SEAL, seal, unseal } from "./sealed.ts";

/**
 * Some requests query every live build: which has these words, this airport, addresses of this state, tiles of this
 * zoom? Each build stores this in a small object, so a hundred builds would need a hundred cold reads. A page holds
 * copies of one such object of many builds, side by side, so that one read suffices:
 *
 *     live/<hash>   "GPAG", u32 version, number of builds, for each in the order of their ids:
 *                   its id, 0 where it has no such object, else 1 + the number of bytes, and the bytes; checksummed (sealed.ts)
 *
 * live.json lists the pages and is written after them. Builds never change, so the entries of a page stay valid. If a
 * page has no entry for a build, or the page is lost, the build itself is read.
 */
const PAGE_VERSION = 1;

interface PageKind {
  layer: string;
  /** The object that is copied; its seal is checked and left out. */
  key: string;
  /** Only so many bytes of its beginning, which no seal covers. */
  beginning?: number;
}

/** Objects that requests read from all builds. */
export const PAGE_KINDS: readonly PageKind[] = [
  { layer: "addresses", key: "addresses/filter" },
  { layer: "addresses", key: "addresses/coverage" },
  { layer: "places", key: "places/airports" },
  { layer: "places", key: "places/keys" },
  // The header of a PMTiles archive: its zooms.
  { layer: "basemap", key: "basemap/tiles.pmtiles", beginning: 127 },
];

/** A single build is read directly: a page would be an additional read. */
const MIN_BUILDS = 2;
/** Larger objects stay where they are [bytes]. */
const MAX_ENTRY = 17_000;
/** A page is closed at this size [bytes]. */
const PAGE_BYTES = 48_000;
/** Objects that are read concurrently. */
const AT_ONCE = 16;

/** undefined: the build has no such object. */
export type PageEntries = Map<string, Uint8Array | undefined>;

/** Access to the bucket by full keys, for writing pages. */
export interface PageStore {
  /** The first bytes of an object, up to a limit; undefined if it does not exist. */
  readBeginning(key: string, most: number): Promise<Uint8Array | undefined>;
  writePage(key: string, bytes: Uint8Array): Promise<unknown>;
}

/**
 * Writes the pages of some live builds and returns their names. Entries of existing pages are reused, so making another
 * build live reads only that build and the pages.
 */
export async function writePages(
  store: PageStore,
  builds: readonly LiveBuild[],
  before: PageNames = {},
): Promise<PageNames> {
  const pages: Record<string, PageName[]> = {};
  for (const kind of PAGE_KINDS) {
    const having = builds.filter(
      ({ name, layers, checksum }) => name !== WORLD && layers[kind.layer] !== undefined && checksum === SEAL,
    );
    const ids = [...new Set(having.map(({ id }) => id))].sort();
    if (ids.length < MIN_BUILDS) continue;
    const known = await knownEntries(store, before[kind.key] ?? []);
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const missing = ids.slice(i, i + AT_ONCE).filter((id) => !known.has(id));
      await Promise.all(
        missing.map(async (id) => {
          const found = await entryOf(store, id, kind);
          if (found) known.set(id, found.bytes);
        }),
      );
    }
    const entries = ids.flatMap((id) => (known.has(id) ? [{ id, bytes: known.get(id) }] : []));
    const names = await Promise.all(inPages(entries).map((some) => writePage(store, some)));
    if (names.length > 0) pages[kind.key] = names;
  }
  return pages;
}

/** Undefined: it cannot be in a page, because it is large, damaged or unreadable; its build is then read directly. */
async function entryOf(
  store: PageStore,
  id: string,
  { key, beginning }: PageKind,
): Promise<{ bytes: Uint8Array | undefined } | undefined> {
  const bytes = await store.readBeginning(buildKey(id, key), beginning ?? MAX_ENTRY + 1).catch(() => "unreadable");
  if (typeof bytes === "string") return undefined;
  if (!bytes) return { bytes: undefined };
  if (beginning !== undefined) return bytes.length === beginning ? { bytes } : undefined;
  const content = bytes.length <= MAX_ENTRY ? unseal(bytes) : undefined;
  return content && { bytes: content };
}

async function knownEntries(store: PageStore, names: readonly PageName[]): Promise<PageEntries> {
  const known: PageEntries = new Map();
  for (const { key } of names) {
    const bytes = await store.readBeginning(key, Number.MAX_SAFE_INTEGER);
    try {
      if (bytes) for (const [id, entry] of decodePage(bytes)) known.set(id, entry);
    } catch {
      // Rewritten below.
    }
  }
  return known;
}

interface Entry {
  id: string;
  bytes: Uint8Array | undefined;
}

function inPages(entries: readonly Entry[]): Entry[][] {
  const pages: Entry[][] = [];
  let freeBytes = 0;
  for (const entry of entries) {
    const size = 20 + (entry.bytes?.length ?? 0);
    if (size > freeBytes) {
      pages.push([]);
      freeBytes = PAGE_BYTES;
    }
    pages[pages.length - 1].push(entry);
    freeBytes -= size;
  }
  return pages;
}

async function writePage(store: PageStore, entries: readonly Entry[]): Promise<PageName> {
  const bytes = encodePage(entries);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hash = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const key = `live/${hash}`;
  await store.writePage(key, bytes);
  return { key, from: entries[0].id };
}

function encodePage(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const out = beginObject("GPAG", PAGE_VERSION);
  out.unsigned(entries.length);
  for (const { id, bytes } of entries) {
    out.text(id);
    out.unsigned(bytes ? bytes.length + 1 : 0);
    if (bytes) out.bytes(bytes);
  }
  return seal(out.finish());
}

/** @throws Error if the bytes are not a complete page of this version */
export function decodePage(sealed: Uint8Array): PageEntries {
  const bytes = unseal(sealed);
  if (!bytes) throw new Error("its checksum does not fit");
  const reader = openObject(bytes, "GPAG", PAGE_VERSION, "a page of live builds");
  const entries: PageEntries = new Map();
  for (let left = reader.unsigned(); left > 0; left--) {
    const id = reader.text();
    const length = reader.unsigned();
    entries.set(id, length === 0 ? undefined : reader.copy(length - 1));
  }
  return entries;
}

/** Returns the page that covers a build's object; undefined if there is none. */
export function pageFor(pages: PageNames, id: string, key: string): PageName | undefined {
  const names = Object.hasOwn(pages, key) ? pages[key] : [];
  let found: PageName | undefined;
  for (const name of names) if (name.from <= id) found = name;
  return found;
}

/** Keys of all pages. */
export function pageKeys(pages: PageNames): string[] {
  return Object.values(pages).flatMap((names) => names.map(({ key }) => key));
}
