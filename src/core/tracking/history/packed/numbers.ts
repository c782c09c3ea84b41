import { type ByteReader, ByteWriter } from "../../../geo/bytes/bytes.ts";

/**
 * Numbers, each as its difference from an expected one: that of the same place before, or for a time the last time. Its kind is a byte of its
 * own, so that equal kinds lie together:
 *
 *     0 … 9     a decimal with so many digits after the point: the difference in its last digit
 *     10        a time: the difference [ms]
 *     16 + n    a double of which n bytes differ from the expected one: those, the first one first
 */
const [MAX_DIGITS, TIME, DOUBLE] = [9, 10, 16];
/** Whole numbers from here on are times [ms]: 1973. */
const FIRST_TIME = 1e11;
/** A varint of the writer holds differences below it. */
const MAX_STEP = 2 ** 51;

const scratch = new DataView(new ArrayBuffer(16));

/** What is expected next: the same on both sides. */
class Expected {
  readonly #last = new Map<string, number>();
  time = 0;

  at(place: string): number {
    return this.#last.get(place) ?? 0;
  }

  note(place: string, value: number): void {
    this.#last.set(place, value);
    if (isTime(value)) this.time = value;
  }
}

const isTime = (value: number) => Number.isSafeInteger(value) && value >= FIRST_TIME && value < MAX_STEP;

const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** A number in units of its last digit; undefined if they do not give it exactly. */
function inUnits(value: number, digits: number): number | undefined {
  const units = Math.round(value * POWERS[digits]);
  return Math.abs(units) < MAX_STEP / 2 && units / POWERS[digits] === value ? units : undefined;
}

/** An expected number in such units. */
function expectedUnits(value: number, digits: number): number {
  const units = Math.round(value * POWERS[digits]);
  return Math.abs(units) < MAX_STEP / 2 ? units : 0;
}

export class NumberWriter {
  readonly kinds = new ByteWriter(256);
  readonly values = new ByteWriter(1024);
  readonly #expected = new Expected();

  /**
   * @param place by which an earlier number of the same meaning is found
   * @param digits after the point, as it is written
   */
  add(place: string, value: number, digits: number): void {
    const before = this.#expected.at(place);
    const { time } = this.#expected;
    this.#expected.note(place, value);
    if (isTime(value)) {
      this.kinds.byte(TIME);
      this.values.signed(value - time);
      return;
    }
    const units = digits <= MAX_DIGITS ? inUnits(value, digits) : undefined;
    if (units === undefined) this.#double(before, value);
    else {
      this.kinds.byte(digits);
      this.values.signed(units - expectedUnits(before, digits));
    }
  }

  #double(before: number, value: number): void {
    scratch.setFloat64(0, before);
    scratch.setFloat64(8, value);
    let same = 0;
    while (same < 8 && scratch.getUint8(same) === scratch.getUint8(8 + same)) same++;
    this.kinds.byte(DOUBLE + 8 - same);
    for (; same < 8; same++) this.values.byte(scratch.getUint8(8 + same));
  }
}

export class NumberReader {
  readonly #reader: ByteReader;
  readonly #expected = new Expected();

  constructor(values: ByteReader) {
    this.#reader = values;
  }

  next(place: string, kind: number): number {
    const value = this.#read(this.#expected.at(place), kind);
    this.#expected.note(place, value);
    return value;
  }

  #read(before: number, kind: number): number {
    if (kind === TIME) return this.#expected.time + this.#reader.signed();
    if (kind <= MAX_DIGITS) return (expectedUnits(before, kind) + this.#reader.signed()) / POWERS[kind];
    const same = 8 - (kind - DOUBLE);
    if (!(same >= 0 && same <= 8)) throw new Error(`Malformed page: numbers of kind ${kind}.`);
    scratch.setFloat64(0, before);
    for (let i = same; i < 8; i++) scratch.setUint8(i, this.#reader.byte());
    return scratch.getFloat64(0);
  }
}
