import type { Env } from "../../../platform/env.ts";
import { ApiError } from "../../../platform/errors.ts";
import { PROCESS_HEADER } from "../../../platform/processes.ts";
import { peerEnd } from "../connection.ts";
import type { Endpoint } from "../endpoint.ts";

/**
 * Whether a helper process answers an endpoint: it reads only geodata, or geofences too, and its rate is counted where all processes can ask. That of an
 * address is in the memory of the main process.
 */
export const isForHelpers = ({ geodataOnly, fencesOnly, rate }: Endpoint): boolean =>
  (geodataOnly === true || fencesOnly === true) && rate !== "address";

/** Thrown in a helper process before the body is read: only the main one can decide about this request. */
export class OnlyMain extends Error {}

const RETRY = { headers: { "Retry-After": "1" } };

/** The main process's response to a request. @throws ApiError 503 while that restarts */
export async function passOn(request: Request, { MAIN, PROCESS_SECRET }: Env): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set(PROCESS_HEADER, `${PROCESS_SECRET} ${peerEnd(request) ?? ""}`);
  try {
    if (!MAIN) throw new Error("There is no main process.");
    return await MAIN.fetch(new Request(request, { headers, redirect: "manual" }));
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(503, "The server is restarting. Try again in a few seconds.", RETRY);
  }
}
