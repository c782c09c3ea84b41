/**
 * Calls per second for one scope (project × live/test) and endpoint, as the specification's Limits table gives them;
 * 10 where it gives none. Track and IP geocode are counted per device instead. A project's settings may override each.
 */
export const RATE_LIMITS = {
  context: 10,
  forwardGeocode: 10,
  reverseGeocode: 10,
  autocomplete: 10,
  searchUsers: 100,
  searchGeofences: 100,
  searchPlaces: 150,
  validateAddress: 100,
  distance: 100,
  matrix: 20,
  match: 10,
  directions: 10,
  optimize: 10,
  // Ours: a map on a screen asks for dozens of tiles at once.
  mapStyle: 50,
  mapTileJson: 50,
  mapTile: 500,
  mapGlyphs: 200,
  mapSprite: 100,
} as const satisfies Record<string, number>;

/** Where the specification gives no limit. */
export const DEFAULT_RATE_LIMIT = 10;

/** Track: calls per second and device. */
export const TRACK_RATE_PER_DEVICE = 1;

/** IP geocode: calls per second and device or address. */
export const IP_GEOCODE_RATE_PER_DEVICE = 10;

/** Open endpoints: calls per second and address. The two documents are large, and read by people. */
const ADDRESS_RATES: Readonly<Record<string, number>> = { ping: 100, openapi: 20, docs: 20 };

export function addressRateOf(endpoint: string): number {
  return ADDRESS_RATES[endpoint] ?? DEFAULT_RATE_LIMIT;
}

/** The limit of an endpoint [calls/s], after the project's overrides. */
export function rateLimitOf(endpoint: string, overrides: Readonly<Record<string, number>> = {}): number {
  return overrides[endpoint] ?? (RATE_LIMITS as Record<string, number>)[endpoint] ?? DEFAULT_RATE_LIMIT;
}
