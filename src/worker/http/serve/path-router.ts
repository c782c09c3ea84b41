import type { Params, Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** A route whose segments are texts and `:names`. */
interface Pattern<T> {
  /** By segment: its text, or undefined for a parameter. */
  texts: readonly (string | undefined)[];
  /** By segment: the name of its parameter. */
  names: readonly (string | undefined)[];
  handler: T;
}

/** Any other route, which only the trie can match. */
interface Other {
  method: string;
  /** The start of all paths that it matches. */
  start: string;
}

const ALL = "ALL";
const TEXT = /^[\w.@-]*$/;
const NAME = /^:[\w.-]+$/;

/**
 * Hono's router for an API: its routes match as in the TrieRouter, in the order in which they were added. Paths without parameters take
 * one lookup, and those of patterns such as "/v1/users/:id" one comparison with each pattern of the same length. The trie matches the rest.
 */
export class PathRouter<T> implements Router<T> {
  readonly name = "PathRouter";
  readonly #trie = new TrieRouter<T>();
  readonly #exact = new Set<string>();
  /** The trie's results for exact paths, by method. */
  readonly #results = new Map<string, Map<string, Result<T>>>();
  /** By method and number of segments. */
  readonly #patterns = new Map<string, Map<number, Pattern<T>[]>>();
  readonly #others: Other[] = [];

  add(method: string, path: string, handler: T): void {
    this.#trie.add(method, path, handler);
    this.#results.clear();
    const segments = path.split("/");
    if (segments.every((segment) => TEXT.test(segment))) this.#exact.add(path);
    else if (method !== ALL && isPattern(segments)) this.#addPattern(method, segments, handler);
    else {
      const first = segments.findIndex((segment) => !TEXT.test(segment));
      this.#others.push({ method, start: segments.slice(0, first).join("/") });
    }
  }

  match(method: string, path: string): Result<T> {
    return this.#results.get(method)?.get(path) ?? this.#matchExact(method, path) ?? this.#matchPatterns(method, path);
  }

  /** Always the same result: no part of the path is a parameter's value that varies. */
  #matchExact(method: string, path: string): Result<T> | undefined {
    if (!this.#exact.has(path)) return undefined;
    const result = this.#trie.match(method, path);
    const results = this.#results.get(method) ?? new Map<string, Result<T>>();
    this.#results.set(method, results.set(path, result));
    return result;
  }

  #addPattern(method: string, segments: readonly string[], handler: T): void {
    const byLength = this.#patterns.get(method) ?? new Map<number, Pattern<T>[]>();
    const others = byLength.get(segments.length) ?? [];
    const texts = segments.map((segment) => (segment.startsWith(":") ? undefined : segment));
    const names = segments.map((segment) => (segment.startsWith(":") ? segment.slice(1) : undefined));
    this.#patterns.set(method, byLength.set(segments.length, [...others, { texts, names, handler }]));
  }

  #matchPatterns(method: string, path: string): Result<T> {
    for (const other of this.#others)
      if ((other.method === method || other.method === ALL) && path.startsWith(other.start))
        return this.#trie.match(method, path);
    const segments = path.split("/");
    const found: [T, Params][] = [];
    for (const { texts, names, handler } of this.#patterns.get(method)?.get(segments.length) ?? [])
      if (matches(texts, segments)) found.push([handler, paramsOf(names, segments)]);
    return [found];
  }
}

function isPattern(segments: readonly string[]): boolean {
  const names = segments.filter((segment) => !TEXT.test(segment));
  return names.every((name) => NAME.test(name)) && new Set(names).size === names.length;
}

function matches(texts: readonly (string | undefined)[], segments: readonly string[]): boolean {
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    if (text === undefined ? segments[i] === "" : segments[i] !== text) return false;
  }
  return true;
}

function paramsOf(names: readonly (string | undefined)[], segments: readonly string[]): Params {
  const params: Params = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== undefined) params[name] = segments[i];
  }
  return params;
}
