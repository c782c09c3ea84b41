import type { Chain } from "./chains.ts";
import type { Place } from "./place.ts";

/**
 * A project's own view of chains and places: `GET` and `PATCH /v1/settings`. Keys of both dictionaries are chain slugs.
 */
export interface PlaceSettings {
  /**
   * The caller's id of a chain; it is returned as `chain.externalId` and may be used instead of the slug in searches.
   */
  chainMappings: Record<string, string>;
  chainMetadata: Record<string, Record<string, Scalar>>;
  /** When one of the lists is not empty, users are only ever at places of these chains or categories. */
  placeFilters: { chain: string[]; category: string[] };
}

export type Scalar = string | number | boolean;

export const NO_PLACE_SETTINGS: PlaceSettings = {
  chainMappings: {},
  chainMetadata: {},
  placeFilters: { chain: [], category: [] },
};

/** A change as received: absent sections stay, null deletes an entry (JSON Merge Patch, RFC 7396). */
interface PlaceSettingsPatch {
  chainMappings?: Record<string, string | null> | null;
  chainMetadata?: Record<string, Record<string, Scalar | null> | null> | null;
  placeFilters?: { chain?: string[] | null; category?: string[] | null } | null;
}

export function patchSettings(settings: PlaceSettings, patch: PlaceSettingsPatch): PlaceSettings {
  const { chainMappings, chainMetadata, placeFilters } = patch;
  const metadata: Record<string, Record<string, Scalar>> = chainMetadata === null ? {} : { ...settings.chainMetadata };
  for (const [slug, change] of Object.entries(chainMetadata ?? {})) {
    if (change === null) delete metadata[slug];
    else metadata[slug] = mergeEntries(metadata[slug] ?? {}, change);
  }
  return {
    chainMappings: chainMappings === null ? {} : mergeEntries(settings.chainMappings, chainMappings ?? {}),
    chainMetadata: metadata,
    placeFilters: {
      chain: listAfter(settings.placeFilters.chain, placeFilters, "chain"),
      category: listAfter(settings.placeFilters.category, placeFilters, "category"),
    },
  };
}

function mergeEntries<T>(entries: Record<string, T>, change: Record<string, T | null>): Record<string, T> {
  const out = { ...entries };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete out[key];
    else out[key] = value;
  }
  return out;
}

function listAfter(current: string[], patch: PlaceSettingsPatch["placeFilters"], key: "chain" | "category"): string[] {
  if (patch === null) return [];
  const list = patch?.[key];
  return list === undefined ? current : [...new Set(list ?? [])];
}

/** Resolves the `chains` of a request to slugs: slugs stay, mapped ids become the slugs of their chains. */
export function resolveChains(asked: readonly string[], { chainMappings }: PlaceSettings): Set<string> {
  const slugs = new Set(asked);
  const wanted = new Set(asked);
  for (const [slug, id] of Object.entries(chainMappings)) if (wanted.has(id)) slugs.add(slug);
  return slugs;
}

/** A chain as the API shows it. `externalId` and `metadata` are there when the project has them. */
interface MappedChain extends Chain {
  externalId?: string;
  metadata?: Record<string, Scalar>;
}

export function mapChain(chain: Chain, { chainMappings, chainMetadata }: PlaceSettings): MappedChain {
  const externalId = own(chainMappings, chain.slug);
  const metadata = own(chainMetadata, chain.slug);
  return {
    name: chain.name,
    slug: chain.slug,
    ...(chain.domain !== undefined && { domain: chain.domain }),
    ...(externalId !== undefined && { externalId }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** The condition that `chainMetadata[key]=value` parameters put on a chain: every value equal, in type too, or one of a list. */
export function chainMetadataFilter(
  wanted: Readonly<Record<string, Scalar | readonly Scalar[]>>,
  { chainMetadata }: PlaceSettings,
): (slug: string) => boolean {
  return (slug) => {
    const metadata = own(chainMetadata, slug);
    if (metadata === undefined) return false;
    return Object.entries(wanted).every(([key, value]) => {
      const known = own(metadata, key);
      return known !== undefined && (Array.isArray(value) ? value.includes(known) : known === value);
    });
  };
}

/** Returns whether the project's place filters allow users to be at this place. */
export function passesFilters(place: Place, { placeFilters: { chain, category } }: PlaceSettings): boolean {
  if (chain.length === 0 && category.length === 0) return true;
  if (place.chain && chain.includes(place.chain.slug)) return true;
  return place.categories.some((slug) => category.includes(slug));
}

/** A caller's slug may be "constructor", so only the dictionary's own keys count. */
function own<T>(dictionary: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(dictionary, key) ? dictionary[key] : undefined;
}
