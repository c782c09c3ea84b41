import { hashToShare } from "../../../core/geo/hash-to-share.ts";

/**
 * The number of a tracker's writer, below `count`: by all of its id, because parts of an id may state what many share, such as their
 * jurisdiction.
 * @param trackerId 64 hex digits
 */
export const chooseWriter = (trackerId: string, count: number): number => Math.floor(hashToShare(trackerId) * count);
