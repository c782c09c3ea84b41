/**
 * Results of earlier imports of the same name (frame/kept-parts.ts). The key of a result must cover everything that decides its bytes.
 */
export interface CachedParts {
  /** There are no earlier results: nothing will be found. */
  readonly isEmpty: boolean;
  key(...inputs: readonly (Uint8Array | string)[]): Uint8Array;
  /** @param as the name under which the result is stored from now on, if it changes */
  find(key: Uint8Array, as?: Uint8Array): Uint8Array<ArrayBuffer> | undefined;
  put(key: Uint8Array, bytes: Uint8Array): void;
  /** Whether `find` will likely return a result. */
  has(key: Uint8Array): boolean;
  /** The path of a result that is a separate file; do not change or remove that file. */
  findFile(key: Uint8Array): string | undefined;
  /** Data that the previous import passed to the update that follows it. */
  carried(): Uint8Array<ArrayBuffer> | undefined;
  /** Passes data to the next update. */
  carry(bytes: Uint8Array): void;
  /** Moves a file of the work folder into the cache and returns its new path. */
  putFile(key: Uint8Array, path: string): string;
}
