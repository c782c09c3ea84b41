import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * Finds the handler of a path without parameters in one look, and asks Hono's router for the others (the one of patterns it would
 * choose for our paths anyway). The endpoints that are called most have such a path. The first handler of a method and path is taken alone: ours always
 * answer and never call `next` for a later one, so the chain that would be built around them is saved too.
 */
export class ExactRouter<T> implements Router<T> {
  readonly name = "ExactRouter";
  readonly #exact = new Map<string, Result<T>>();
  readonly #all = new TrieRouter<T>();

  add(method: string, path: string, handler: T): void {
    const isExact = method !== "ALL" && !/[*:{]/.test(path);
    // Where an earlier pattern takes the path, it goes on doing so.
    if (isExact && this.#all.match(method, path)[0].length === 0)
      this.#exact.set(`${method} ${path}`, [[[handler, {}]]]);
    this.#all.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    return this.#exact.get(`${method} ${path}`) ?? this.#all.match(method, path);
  }
}
