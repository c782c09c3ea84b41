import type { Role } from "../../../../core/auth/role.ts";
import type { Speaker } from "../../../../core/auth/token.ts";
import type { KeyRecord } from "../../../db/projects/keys.ts";

/**
 * Required access: `publishable` accepts both levels of key, `secret` only secret keys, `open` needs none. A session acts as a
 * secret key; `member` accepts only sessions.
 */
export type Level = "publishable" | "secret" | "open" | "member";

/** The caller: data of the key, and the token's user. */
export interface Caller extends KeyRecord {
  /** The user of a signed token; absent = the call has only a key. */
  speaker?: Speaker;
  /** The member of the session, or of an agent's grant; absent = the call has a key. */
  member?: {
    id: string;
    email: string;
    role: Role;
    /** The name of the client that the member has allowed to act for them: an agent. */
    through?: string;
  };
}
