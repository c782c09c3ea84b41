/** What the storage of an object with SQLite provides on Cloudflare; workerd on one machine does not implement it. */
interface Bookmarks {
  getBookmarkForTime(at: number): Promise<string>;
  onNextSessionRestoreBookmark(bookmark: string): Promise<string>;
}

interface Recoverable {
  storage: Bookmarks;
  abort(reason?: string): void;
}

export interface RecoveryPoint {
  /** The state at that time. */
  bookmark: string;
  /** The state before the restore, to undo it; absent if nothing was restored. */
  undo?: string;
}

/** An abort ends the call as well: it comes after the response was sent [ms]. */
const ABORT_AFTER_MS = 50;

/**
 * The state of an object at a time of the last 30 days (Durable Objects' point-in-time recovery). With `restores`, the object restarts with it.
 * @param at [ms]
 * @throws what the platform throws: a time before the object existed, or a platform without recovery
 */
export async function recoverTo(object: Recoverable, at: number, restores: boolean): Promise<RecoveryPoint> {
  const bookmark = await object.storage.getBookmarkForTime(at);
  if (!restores) return { bookmark };
  const undo = await object.storage.onNextSessionRestoreBookmark(bookmark);
  setTimeout(() => object.abort("restored to an earlier state"), ABORT_AFTER_MS);
  return { bookmark, undo };
}

/** workerd's message where the platform has no recovery. */
export function isWithoutRecovery(error: unknown): boolean {
  return /point-in-time recovery|does not implement|not (supported|implemented)/i.test(String(error));
}
