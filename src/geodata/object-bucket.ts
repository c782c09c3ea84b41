/** What the geodata room asks of a bucket; an R2 binding is one, and so is a map of bytes in a test. */
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
