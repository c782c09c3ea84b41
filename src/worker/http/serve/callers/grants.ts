import { hashKey } from "../../../../core/auth/key.ts";
import { isOAuthToken } from "../../../../core/auth/oauth/token.ts";
import type { Databases } from "../../../db/databases.ts";
import { findGrantCaller, type GrantRecord } from "../../../db/projects/grants.ts";
import { ApiError } from "../../../platform/errors.ts";
import { checkAddress, limitAddress } from "./address-limit.ts";
import { noteFenceEpoch, onForgetProject, payingCaller } from "./caller.ts";
import type { Caller } from "./identity.ts";
import { KnownKeys } from "./known-keys.ts";

/** Access tokens of agents. They are for /mcp only: no other endpoint accepts them. */

/** Unknown tokens allowed per address [per second]; each costs a query. */
const UNKNOWN_PER_ADDRESS = 10;
const UNKNOWN = "unknown access tokens";

const grants = new KnownKeys<GrantRecord>();

onForgetProject((project) => grants.forget(project));

/** Clears this machine's cache of a member's grants, after one has ended or a role has changed. */
export function forgetGrantsOf(id: string): void {
  grants.forgetIf(({ member }) => member.id === id);
}

/** The caller of an access token. @throws ApiError 401 or 402 */
export async function admitGrant(env: Databases, token: string, ip: string | undefined, now: number): Promise<Caller> {
  const found = isOAuthToken("access", token)
    ? await grants.lookUp(token, now, false, async () => {
        checkAddress(ip, UNKNOWN, UNKNOWN_PER_ADDRESS, now);
        const record = await findGrantCaller(env, await hashKey(token), now);
        if (!record) limitAddress(ip, UNKNOWN, UNKNOWN_PER_ADDRESS, now);
        return record;
      })
    : undefined;
  if (!found || found.expiresAt <= now)
    throw new ApiError(401, "Unauthorized. The access token has expired or was revoked.");
  noteFenceEpoch(found.scope, found.fenceEpoch);
  return payingCaller(found);
}
