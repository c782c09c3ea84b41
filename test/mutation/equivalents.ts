/**
 * Changes that no test can detect, because the program does the same with them. A mutation is one of these when its file, the
 * trimmed line where it starts, and its change are the same; an entry that matches nothing any more is reported.
 */
export interface Equivalent {
  file: string;
  /** The line of the source, trimmed. */
  source: string;
  /** As the report writes it: "`a < b` → `a <= b`". */
  change: string;
  /** Why nobody can notice. */
  reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
