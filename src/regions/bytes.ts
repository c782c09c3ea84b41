/** Growing byte buffer with LEB128 integers: seven bits a byte, low ones first, the high bit says that more follow. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length++] = value;
  }

  /** An integer from 0 up to 2⁵³ − 1. */
  unsigned(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** An integer of either sign below 2⁵² in size: 0, −1, 1, −2 … become 0, 1, 2, 3 … */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.unsigned(bytes.length);
    for (const byte of bytes) this.byte(byte);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Reads what ByteWriter wrote; past the end it throws. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.position = position;
  }

  byte(): number {
    if (this.position >= this.#bytes.length) throw new Error("region tile: ends before its time");
    return this.#bytes[this.position++];
  }

  unsigned(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    const length = this.unsigned();
    const end = this.position + length;
    if (end > this.#bytes.length) throw new Error("region tile: ends before its time");
    const value = new TextDecoder().decode(this.#bytes.subarray(this.position, end));
    this.position = end;
    return value;
  }
}
