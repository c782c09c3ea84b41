import { ImportError } from "./import-error.ts";

/** Reasons of the system to reject a write: no space, no quota, a size limit, no permission. */
const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "files may not become this large here",
  EROFS: "the disk is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
};
/** The same from SQLite, which keeps the local bucket's list (sqlite.org/rescode.html). */
const SQLITE_REASONS: Record<number, string> = {
  8: "the local bucket is read-only",
  10: "the disk does not take what is written",
  13: "the disk is full",
};

/** An error of writing as a sentence for the operator; any other error as it is. */
export function explainWriteFailure(error: unknown): unknown {
  const { code, path, errcode } = error as { code?: string; path?: string; errcode?: number };
  const reason =
    code === "ERR_SQLITE_ERROR"
      ? SQLITE_REASONS[(errcode ?? 0) & 0xff]
      : code === undefined
        ? undefined
        : REASONS[code];
  if (reason === undefined) return error;
  return new ImportError(
    `The import could not write${path ? ` ${path}` : ""}: ${reason}. What is live did not change; the same command continues from the last finished phase.`,
  );
}
