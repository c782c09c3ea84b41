/** The part of a bucket that `src/geodata` needs: an R2 binding has it, and so does a map of bytes in a test. */
export interface ObjectBucket {
  /** null when there is no such object; without a body when `onlyIf` did not hold. */
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
