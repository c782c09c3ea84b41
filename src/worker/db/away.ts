import { REFUSAL } from "./refusal.ts";

/** SQLite's errors for a statement that can never succeed: our mistake, which waiting doesn't fix. */
const OUR_MISTAKE =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH|MISUSE|CORRUPT|NOTADB|SCHEMA)|D1_(TYPE|COLUMN)/;

/**
 * Errors of D1 and Durable Objects that are locked, overloaded, restarted or disconnected (Cloudflare's lists of D1
 * errors and of Durable Object errors, as of 2026-10). On a local machine also: another process is writing the file, or
 * the disk is full.
 */
const AWAY =
  /database is locked|SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|INTERRUPT)|network connection lost|overloaded|object to be reset|was reset|reset because|exceeded (its CPU time limit|timeout)|transient issue/i;

/** Is it what workerd says of any failure of its own, such as one to read a damaged database? */
export function isInternal(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (/^internal error/.test(at.message)) return true;
  return false;
}

/** Is it the error for changes to a project's rows while the project moves to another database, which takes seconds? */
export function isMoving(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at.message.includes(REFUSAL)) return true;
  return false;
}

/**
 * Is the database locked, unavailable or temporarily rejecting writes, so that a retry may soon succeed? Also checks
 * the error's causes, because Drizzle wraps D1 errors.
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
