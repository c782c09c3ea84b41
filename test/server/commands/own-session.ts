import { hashKey } from "../../../src/core/auth/key.ts";
import { cookieName, mintSessionToken, TOKEN_BYTES } from "../../../src/core/auth/session.ts";
import { query } from "../../../src/server/data/database.ts";
import { openLocalDatabase } from "../../../src/server/data/local-database.ts";

/** A session of the first member of a state, as the cookie of a server that is reached by https. */
export async function createSession(state: string): Promise<{ name: string; value: string }> {
  const value = mintSessionToken(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const database = openLocalDatabase(state);
  try {
    await query(
      database,
      "INSERT INTO session SELECT ?, id, NULL, 0, 9000000000000 FROM member LIMIT 1",
      await hashKey(value),
    );
  } finally {
    database.close();
  }
  return { name: cookieName(true), value };
}
