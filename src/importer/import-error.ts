/** Something the person at the keyboard can mend. Its message is one or two sentences: what is wrong, and what to do. */
export class ImportError extends Error {
  override name = "ImportError";
}
