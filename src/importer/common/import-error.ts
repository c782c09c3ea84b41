/**
 * An error that the person who ran the command can fix. Its message is one or two sentences: what is wrong, and what to
 * do.
 */
export class ImportError extends Error {
  override name = "ImportError";
}
