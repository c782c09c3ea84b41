/** Valid request ids from callers: letters, digits and four other characters, as in UUIDs, ULIDs and trace ids. */
const WELL_FORMED = /^[\w.:-]{8,128}$/;
/** Ids are logged, and keys must not be. */
const LIKE_A_KEY = /prj_(test|live)_/i;

/** The id of a request: the caller's own (X-Request-Id), if it is well formed, else a new one. It is in the response and in the log. */
export function requestIdOf(headers: Headers): string {
  const named = headers.get("x-request-id");
  return named !== null && WELL_FORMED.test(named) && !LIKE_A_KEY.test(named) ? named : crypto.randomUUID();
}
