/** A pattern whose segments are texts and `:names`. */
interface Pattern<Handler> {
  /** By segment, the first one is empty: its text, or undefined for a parameter. */
  texts: readonly (string | undefined)[];
  /** By segment: the name of its parameter. */
  names: readonly (string | undefined)[];
  handler: Handler;
}

/** What a path is handled by, with the values of the pattern's parameters. */
interface Found<Handler> {
  handler: Handler;
  params: Readonly<Record<string, string>>;
}

const SIMPLE = /^(\/:?[A-Za-z0-9_.-]+)+$/;

/** Patterns such as "/v1/users/:id". The first one that was added and matches wins, as in Hono, whose patterns can do more. */
export class PathPatterns<Handler> {
  readonly #byLength = new Map<number, Pattern<Handler>[]>();

  static isSimple(path: string): boolean {
    return SIMPLE.test(path);
  }

  /** @param path a simple one */
  add(path: string, handler: Handler): void {
    const segments = path.split("/");
    const texts = segments.map((segment) => (segment.startsWith(":") ? undefined : segment));
    const names = segments.map((segment) => (segment.startsWith(":") ? segment.slice(1) : undefined));
    const others = this.#byLength.get(segments.length) ?? [];
    this.#byLength.set(segments.length, [...others, { texts, names, handler }]);
  }

  /** @param path without encoded characters */
  find(path: string): Found<Handler> | undefined {
    const segments = path.split("/");
    for (const { texts, names, handler } of this.#byLength.get(segments.length) ?? []) {
      if (!matches(texts, segments)) continue;
      const params: Record<string, string> = {};
      for (let i = 0; i < names.length; i++) {
        const name = names[i];
        if (name !== undefined) params[name] = segments[i];
      }
      return { handler, params };
    }
    return undefined;
  }
}

function matches(texts: readonly (string | undefined)[], segments: readonly string[]): boolean {
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    if (text === undefined ? segments[i] === "" : segments[i] !== text) return false;
  }
  return true;
}
