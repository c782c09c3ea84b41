import { reaches } from "../../../../core/auth/role.ts";
import { ApiError } from "../../../platform/errors.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Caller } from "./identity.ts";
import { roleOf } from "./session.ts";

/**
 * Requests that the Worker sends to itself for a caller whom it has admitted already, such as an agent with an access token. The
 * request object is the proof: no request from outside can be in this map.
 */
const callers = new WeakMap<Request, Caller>();

/** Marks a request as one of this caller. */
export function sendAs(request: Request, caller: Caller): Request {
  callers.set(request, caller);
  return request;
}

export const insideCaller = (request: Request): Caller | undefined => callers.get(request);

/** The caller, if the endpoint is open to their role. @throws ApiError 403 */
export function admitInside(caller: Caller, endpoint: Endpoint): Caller {
  const role = caller.member?.role;
  const needed = roleOf(endpoint);
  if (role === undefined || !reaches(role, needed))
    throw new ApiError(403, `Forbidden. Your access is ${role}; this needs ${needed}.`);
  return caller;
}
