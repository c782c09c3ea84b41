import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Rows that outlive a run, one JSON per line, the last one of each key counts: a run that was stopped continues where it was. */
export class Kept<T extends { key: string }> {
  readonly #path: string;
  readonly #rows: Map<string, T>;

  constructor(name: string) {
    const folder = join(tmpdir(), "graticule-mutation");
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, `${name}.jsonl`);
    // The last line of a run that was killed may be cut off.
    const lines = existsSync(this.#path) ? readFileSync(this.#path, "utf8").split("\n").slice(0, -1) : [];
    this.#rows = new Map(lines.map((line) => JSON.parse(line) as T).map((row) => [row.key, row]));
  }

  get(key: string): T | undefined {
    return this.#rows.get(key);
  }

  add(row: T): void {
    this.#rows.set(row.key, row);
    appendFileSync(this.#path, `${JSON.stringify(row)}\n`);
  }
}

export function digestOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 24);
}
