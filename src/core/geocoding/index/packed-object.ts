/** An object to be written into a build. */
export interface PackedObject {
  /** Within the build. */
  key: string;
  bytes: Uint8Array;
}
