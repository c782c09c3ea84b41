/** The part of a bucket that `src/worker/geodata` needs: implemented by an R2 binding, and by a map of bytes in tests. */
export interface ObjectBucket {
  /** null if there is no such object; without a body if `onlyIf` didn't hold. */
  get(
    key: string,
    options?: {
      range?: { offset: number; length: number };
      onlyIf?: { etagDoesNotMatch?: string; etagMatches?: string };
    },
  ): Promise<StoredObject | null>;
}

export interface StoredObject {
  readonly etag: string;
  arrayBuffer?(): Promise<ArrayBuffer>;
}
