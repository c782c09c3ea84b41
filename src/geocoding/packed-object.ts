/** An object on its way into a build. */
export interface PackedObject {
  /** Within the build. */
  key: string;
  bytes: Uint8Array;
}
