import {
  importSigningKey,
  keyThatSigns,
  makeSigningKey,
  newestNeeded,
  PUBLISHED_MS,
  publicJwk,
  signToken,
} from "../../../../core/auth/signing-key.ts";
import { insertSigningKey, type SigningKeyRow, signingKeysSince } from "../../../db/projects/signing-keys.ts";

/** This isolate's cache of our signing keys. */

/** Cache time [ms]: a new key is published a day before it signs. */
const KEPT_MS = 600_000;

let kept: { at: number; rows: readonly SigningKeyRow[] } | undefined;
const imported = new Map<string, CryptoKey>();

/** The keys of all tokens that can still be valid. */
export async function publishedKeys(db: D1Database, now: number) {
  return (await signingKeysSince(db, now - PUBLISHED_MS)).map(publicJwk);
}

/** Signs claims with the current key; creates the first key on demand, and rotates keys when they expire. */
export async function signer(db: D1Database, now: number) {
  if (!kept || Math.abs(now - kept.at) > KEPT_MS) kept = { at: now, rows: await keysOf(db, now) };
  const { id, privateKey } = keyThatSigns(kept.rows, now) as SigningKeyRow;
  const key = imported.get(id) ?? (await importSigningKey(privateKey));
  imported.set(id, key);
  return (claims: Readonly<Record<string, unknown>>) => signToken(key, id, claims);
}

async function keysOf(db: D1Database, now: number): Promise<SigningKeyRow[]> {
  const rows = await signingKeysSince(db, now - PUBLISHED_MS);
  const needed = newestNeeded(now);
  if (rows.some(({ createdAt }) => createdAt > needed)) return rows;
  await insertSigningKey(db, { ...(await makeSigningKey()), createdAt: now }, needed);
  return signingKeysSince(db, now - PUBLISHED_MS);
}
