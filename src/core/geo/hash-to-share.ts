/**
 * A number in [0, 1), evenly distributed: FNV-1a (Fowler, Noll, Vo 1991) with the final mix of MurmurHash3 (Appleby
 * 2011), because FNV alone leaves the high bits of similar texts similar.
 */
export function hashToShare(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
