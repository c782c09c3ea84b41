/** What a caller may name a request: letters, digits and four signs, as UUIDs, ULIDs and trace ids have them. */
const WELL_FORMED = /^[\w.:-]{8,128}$/;
/** Ids stand in logs, where no key may stand. */
const LIKE_A_KEY = /prj_(test|live)_/i;

/** The id of a request: the caller's own (X-Request-Id), if it is well formed, else a new one. It stands in the answer and in the log. */
export function requestIdOf(headers: Headers): string {
  const named = headers.get("x-request-id");
  return named !== null && WELL_FORMED.test(named) && !LIKE_A_KEY.test(named) ? named : crypto.randomUUID();
}
