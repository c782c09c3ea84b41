import { deflateRawSync } from "node:zlib";
import type { ByteWriter } from "../../geo/bytes.ts";
import { withHeader } from "../../routing/object.ts";

/** A payload deflated, with the header every routing object has. */
export function deflatedObject(magic: string, version: number, payload: ByteWriter): Uint8Array {
  return withHeader(magic, version, deflateRawSync(payload.finish(), { level: 9 }));
}
