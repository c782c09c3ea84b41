/**
 * Index of an archive's tiles while it is written, in columns: 16 bytes per directory entry and 24 per distinct tile,
 * plus 8 to find it by its digest.
 */
export class ArchiveTiles {
  /** Tiles addressed; directory entries; different tiles. */
  addressed = 0;
  entries = 0;
  contents = 0;
  /** Bytes of all different tiles. */
  bytes = 0;
  #firstTiles = new Float64Array(256);
  #entryContents = new Uint32Array(256);
  #runs = new Uint32Array(256);
  #offsets = new Float64Array(256);
  #lengths = new Uint32Array(256);
  #digests = new Uint32Array(3 * 256);
  /** Number of a different tile + 1, at the place that its digest says, or the next free one. */
  #slots = new Uint32Array(512);

  /** The number of the tile with a digest; −1 if there is none yet. */
  find(digest: Uint8Array): number {
    return this.#slots[this.#slotOf(...wordsOf(digest))] - 1;
  }

  /** Adds a distinct tile after all others; returns its number. */
  addContent(digest: Uint8Array, length: number): number {
    const number = this.contents++;
    if (this.contents > this.#offsets.length) {
      this.#offsets = doubled(this.#offsets);
      this.#lengths = doubled(this.#lengths);
      this.#digests = doubled(this.#digests);
    }
    this.#offsets[number] = this.bytes;
    this.#lengths[number] = length;
    this.#digests.set(wordsOf(digest), 3 * number);
    this.bytes += length;
    if (this.contents * 2 > this.#slots.length) this.#index(this.#slots.length * 2);
    else this.#slots[this.#slotOf(...wordsOf(digest))] = number + 1;
    return number;
  }

  /** The next tile: a number above those before. */
  address(tileId: number, content: number): void {
    this.addressed++;
    const last = this.entries - 1;
    if (last >= 0 && this.#entryContents[last] === content && this.#firstTiles[last] + this.#runs[last] === tileId) {
      this.#runs[last]++;
      return;
    }
    if (this.entries === this.#firstTiles.length) {
      this.#firstTiles = doubled(this.#firstTiles);
      this.#entryContents = doubled(this.#entryContents);
      this.#runs = doubled(this.#runs);
    }
    this.#firstTiles[this.entries] = tileId;
    this.#entryContents[this.entries] = content;
    this.#runs[this.entries++] = 1;
  }

  /** The parts of a directory entry. */
  tileId = (entry: number): number => this.#firstTiles[entry];
  run = (entry: number): number => this.#runs[entry];
  offset = (entry: number): number => this.#offsets[this.#entryContents[entry]];
  length = (entry: number): number => this.#lengths[this.#entryContents[entry]];

  /** Serializes everything for `restore`. */
  save(): Uint8Array[] {
    const { addressed, entries, contents, bytes } = this;
    const columns = [
      Float64Array.of(addressed, entries, contents, bytes),
      this.#firstTiles.subarray(0, entries),
      this.#offsets.subarray(0, contents),
      this.#entryContents.subarray(0, entries),
      this.#runs.subarray(0, entries),
      this.#lengths.subarray(0, contents),
      this.#digests.subarray(0, 3 * contents),
    ];
    return columns.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  }

  static restore(saved: Uint8Array): ArchiveTiles {
    const tiles = new ArchiveTiles();
    const { buffer } = saved.slice();
    let at = 0;
    const next = (count: number, size: number) => {
      at += count * size;
      return at - count * size;
    };
    const doubles = (count: number) => new Float64Array(buffer, next(count, 8), count);
    const words = (count: number) => new Uint32Array(buffer, next(count, 4), count);
    const [addressed, entries, contents, bytes] = doubles(4);
    Object.assign(tiles, { addressed, entries, contents, bytes });
    tiles.#firstTiles = withRoom(doubles(entries));
    tiles.#offsets = withRoom(doubles(contents));
    tiles.#entryContents = withRoom(words(entries));
    tiles.#runs = withRoom(words(entries));
    tiles.#lengths = withRoom(words(contents));
    tiles.#digests = withRoom(words(3 * contents));
    let slots = 512;
    while (contents * 2 > slots) slots *= 2;
    tiles.#index(slots);
    return tiles;
  }

  /** Open addressing: slot of the digest, or the free slot for it. */
  #slotOf(a: number, b: number, c: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (number < 0) return slot;
      const at = 3 * number;
      if (this.#digests[at] === a && this.#digests[at + 1] === b && this.#digests[at + 2] === c) return slot;
    }
  }

  #index(slots: number): void {
    this.#slots = new Uint32Array(slots);
    for (let number = 0; number < this.contents; number++) {
      const [a, b, c] = this.#digests.subarray(3 * number, 3 * number + 3);
      this.#slots[this.#slotOf(a, b, c)] = number + 1;
    }
  }
}

/** The first 96 bits: of 10⁸ distinct tiles two collide with a probability of 10⁻¹³. */
function wordsOf(digest: Uint8Array): [number, number, number] {
  const view = new DataView(digest.buffer, digest.byteOffset, 12);
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8)];
}

function doubled<Column extends Float64Array | Uint32Array>(column: Column): Column {
  const larger = new (column.constructor as new (length: number) => Column)(column.length * 2);
  larger.set(column);
  return larger;
}

/** A copy that is not full. */
function withRoom<Column extends Float64Array | Uint32Array>(column: Column): Column {
  const larger = new (column.constructor as new (length: number) => Column)(Math.max(768, column.length * 2));
  larger.set(column);
  return larger;
}
