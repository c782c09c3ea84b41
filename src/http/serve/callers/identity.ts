import type { Role } from "../../../auth/role.ts";
import type { Speaker } from "../../../auth/token.ts";
import type { KeyRecord } from "../../../db/projects/keys.ts";

/**
 * Who may call: `publishable` takes both levels of key, `secret` only secret keys, `open` needs none. A session counts as a
 * secret key; `member` takes nothing else.
 */
export type Level = "publishable" | "secret" | "open" | "member";

/** Who calls: what their key says, and whom a token speaks for. */
export interface Caller extends KeyRecord {
  /** The user a signed token speaks for; absent = the call came with a key alone. */
  speaker?: Speaker;
  /** Whose session it is; absent = the call came with a key. */
  member?: { id: string; email: string; role: Role };
}
