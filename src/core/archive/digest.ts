import type { EventRow } from "./event-row.ts";

/**
 * SHA-256 of the content of rows, in any order: rows read from D1 and rows read back from R2 must have the same digest
 * before anything is deleted.
 */
export async function digestOf(rows: readonly EventRow[]): Promise<string> {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const encoder = new TextEncoder();
  let chain = new Uint8Array(32);
  // In pieces, each hashed with the digest of the previous ones: rows of 20 MB would otherwise be in memory two more
  // times.
  for (let first = 0; first < sorted.length; first += PIECE) {
    const piece = sorted.slice(first, first + PIECE);
    const text = JSON.stringify(piece.map(({ id, time, type, user, doc }) => [id, time, type, user, doc]));
    const bytes = encoder.encode(text);
    const joined = new Uint8Array(chain.length + bytes.length);
    joined.set(chain);
    joined.set(bytes, chain.length);
    chain = new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
  }
  return Array.from(chain, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const PIECE = 1_000;
