/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), the checksum of iSCSI and ext4: it finds every burst of up to
 * 32 flipped bits, and misses one in 4 · 10⁹ other changes. Eight tables take eight bytes a step ("slicing-by-8",
 * Kounavis and Berry 2005). Speed: docs/decisions/geodata.md.
 */
const TABLES = makeTables();
const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES;

function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    return crc;
  });
  const tables = [first];
  for (let k = 1; k < 8; k++) tables.push(tables[k - 1].map((crc) => (crc >>> 8) ^ first[crc & 255]));
  return tables;
}

/** The checksum of some bytes, 0 … 2³² − 1; `before` is the checksum of preceding bytes. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const { length } = bytes;
  let crc = ~before;
  let i = 0;
  for (const end = length - 7; i < end; i += 8) {
    const low = crc ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    crc =
      T7[low & 255] ^
      T6[(low >>> 8) & 255] ^
      T5[(low >>> 16) & 255] ^
      T4[low >>> 24] ^
      T3[bytes[i + 4]] ^
      T2[bytes[i + 5]] ^
      T1[bytes[i + 6]] ^
      T0[bytes[i + 7]];
  }
  for (; i < length; i++) crc = (crc >>> 8) ^ T0[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}
