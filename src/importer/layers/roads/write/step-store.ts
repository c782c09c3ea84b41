import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type IntColumns, loadColumns, saveColumns } from "../partition/columns-file.ts";

/**
 * Results of a step for the next one: columns and texts by name. In a work folder they are files, so that a step that
 * is remembered has left them; without one they stay in memory.
 */
export class StepStore {
  readonly #pathOf: ((name: string) => string) | undefined;
  readonly #columns = new Map<string, IntColumns>();
  readonly #texts = new Map<string, string>();

  constructor(pathOf?: (name: string) => string) {
    this.#pathOf = pathOf;
  }

  putColumns(name: string, columns: IntColumns): void {
    if (this.#pathOf) saveColumns(this.#pathOf(`roads-${name}`), columns);
    else this.#columns.set(name, columns);
  }

  columns(name: string): IntColumns {
    return this.#pathOf ? loadColumns(this.#pathOf(`roads-${name}`)) : this.#columns.get(name)!;
  }

  putText(name: string, text: string): void {
    if (!this.#pathOf) {
      this.#texts.set(name, text);
      return;
    }
    const path = this.#pathOf(`roads-${name}`);
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  }

  text(name: string): string {
    return this.#pathOf ? readFileSync(this.#pathOf(`roads-${name}`), "utf8") : this.#texts.get(name)!;
  }

  /** Where its own file may be; undefined where all stays in memory. */
  path(name: string): string | undefined {
    return this.#pathOf?.(`roads-${name}`);
  }
}
