import { REFUSAL } from "./refusal.ts";

/** SQLite's errors for a statement that can never work: a mistake of ours that waiting does not fix. */
const OUR_MISTAKE =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH|MISUSE|CORRUPT|NOTADB|SCHEMA)|D1_(TYPE|COLUMN)/;

/**
 * What D1 and Durable Objects say when they are locked, overloaded, restarted or cut off (Cloudflare's lists of D1
 * errors and of Durable Object errors, as of 2026-10). On a laptop also: another process is writing the file, or the
 * disk is full.
 */
const AWAY =
  /database is locked|SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|INTERRUPT)|network connection lost|overloaded|object to be reset|was reset|reset because|exceeded (its CPU time limit|timeout)|transient issue/i;

/** What a project's rows answer to who would change them while it moves to another database: for seconds. */
export function isMoving(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at.message.includes(REFUSAL)) return true;
  return false;
}

/**
 * Is the database locked or out of reach, or does it refuse for a moment, so that the same request may well succeed in a moment? Also looks at the
 * error's causes, because Drizzle wraps what D1 throws.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (isMoving(error)) return true;
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (OUR_MISTAKE.test(at.message)) return false;
    if (AWAY.test(at.message) || /^D1_(EXEC_)?ERROR\b/.test(at.message)) return true;
    // Set by the platform on errors of a Durable Object that could not be reached.
    if ("retryable" in at && at.retryable === true) return true;
    if ("overloaded" in at && at.overloaded === true) return true;
  }
  return false;
}
