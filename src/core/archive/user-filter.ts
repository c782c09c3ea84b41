/**
 * A filter for the users that a part may have events of (Bloom 1970): ten bits per user and seven positions. False
 * positives: fewer than one in a hundred; false negatives: none. D1 evaluates it in SQL
 * (`db/archive/archive-parts.ts`).
 */
const BITS = 10;
export const POSITIONS = 7;

export function writeUserFilter(users: Iterable<string>): Uint8Array<ArrayBuffer> {
  const distinct = new Set(users);
  const filter = new Uint8Array(Math.max(8, Math.ceil((distinct.size * BITS) / 8)));
  for (const user of distinct) for (const at of positions(user, filter)) filter[at >> 3] |= 1 << (at & 7);
  return filter;
}

export function mayHold(filter: Uint8Array, user: string): boolean {
  return positions(user, filter).every((at) => filter[at >> 3] & (1 << (at & 7)));
}

/**
 * Two hashes of 31 bits, from which all positions are derived (Kirsch and Mitzenmacher 2006): the i-th is first + i ×
 * second.
 */
export function hashesOf(user: string): [first: number, second: number] {
  return [fnv(user, 0x811c9dc5), fnv(user, 0x01000193) | 1];
}

function positions(user: string, filter: Uint8Array): number[] {
  const [first, second] = hashesOf(user);
  return Array.from({ length: POSITIONS }, (_, i) => (first + i * second) % (filter.length * 8));
}

/** FNV-1a with an additional bit mix (the end of MurmurHash3): consecutive _ids differ in few letters. */
function fnv(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 1;
}
