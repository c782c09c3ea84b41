import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import sqlite from "node:sqlite";

/** How an operation goes wrong: it does nothing, it is done but fails, it writes half, or the process ends with it. */
export const KINDS = ["before", "after", "half", "killed"] as const;
export type Kind = (typeof KINDS)[number];

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are wrapped
type Any = any;

const FILES =
  "openSync readFileSync writeFileSync readSync renameSync rmSync mkdirSync mkdtempSync readdirSync statSync";
const PROMISES = "readFile writeFile open rename rm mkdir copyFile link";
const STATEMENTS = "run get all iterate";

/**
 * Counts the operations on files and SQLite databases, and on what `wrap` is given, and makes one of them fail. The wrappers lie
 * over the modules of Node.js until `restore`, so that code with named imports meets them, too.
 */
export class Operations {
  /** Operations since `arm`. */
  count = 0;
  /** Names of the operations that can fail. */
  readonly names = new Set<string>();
  #failing: { at: number; kind: Kind } | undefined;
  #isArmed = false;
  #isDead = false;
  readonly #undo: (() => void)[] = [];

  constructor() {
    for (const name of FILES.split(" ")) this.#replace(fs, name, `fs.${name}`);
    for (const name of PROMISES.split(" ")) this.#replace(fs.promises, name, `fs.promises.${name}`);
    for (const name of ["exec", "prepare", "serialize"])
      this.#replace(sqlite.DatabaseSync.prototype, name, `sqlite.${name}`);
    for (const name of STATEMENTS.split(" ")) this.#replace(sqlite.StatementSync.prototype, name, `statement.${name}`);
    syncBuiltinESMExports();
  }

  /** @param at number of the operation that fails, from 0; none without it */
  arm(at = Number.POSITIVE_INFINITY, kind: Kind = "before"): void {
    this.count = 0;
    this.#failing = { at, kind };
    this.#isArmed = true;
    this.#isDead = false;
  }

  /** @returns whether the operation that fails was reached */
  disarm(): boolean {
    this.#isArmed = false;
    return this.count > (this.#failing?.at ?? 0);
  }

  get wasKilled(): boolean {
    return this.#isDead;
  }

  /** An object whose asynchronous methods count as operations, too. */
  wrap<T extends object>(target: T, name: string): T {
    return new Proxy(target, {
      get: (_, key) => {
        const value = Reflect.get(target, key, target);
        if (typeof value !== "function" || key === "close") return value;
        return this.#faulty(value.bind(target), `${name}.${String(key)}`);
      },
    });
  }

  restore(): void {
    for (const undo of this.#undo) undo();
    syncBuiltinESMExports();
  }

  #replace(owner: Any, key: string, name: string): void {
    const original = owner[key];
    owner[key] = this.#faulty(original, name);
    this.#undo.push(() => {
      owner[key] = original;
    });
  }

  #faulty(original: Any, name: string): Any {
    const faults = this;
    return function (this: unknown, ...words: Any[]): Any {
      // No power fails here: waiting for the disk would only take time.
      if (words[2]?.flush) words[2] = { ...words[2], flush: false };
      if (!faults.#isArmed) return original.apply(this, words);
      // A process that is gone does nothing more.
      if (faults.#isDead) throw errorOf(name);
      faults.names.add(name);
      const { at, kind } = faults.#failing!;
      if (faults.count++ !== at) return original.apply(this, words);
      if (kind === "killed") faults.#isDead = true;
      if (kind === "half" && /write/.test(name)) original.call(this, words[0], halfOf(words[1]), ...words.slice(2));
      if (kind !== "after") throw errorOf(name);
      const done = original.apply(this, words);
      if (done instanceof Promise) return done.then(() => Promise.reject(errorOf(name)));
      throw errorOf(name);
    };
  }
}

const halfOf = (bytes: Uint8Array | string) => bytes.slice(0, Math.floor(bytes.length / 2));

const errorOf = (name: string) => Object.assign(new Error(`${name} failed`), { code: "EIO" });
