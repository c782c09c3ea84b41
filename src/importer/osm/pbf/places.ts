import { ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import { NO_PLACE } from "./element.ts";

/**
 * Places one after the other, as they stand along lines, in few bytes: the step of the longitude and of the latitude
 * [1e-7 degrees] from the place before, as zigzag varints; the first of the two doubled, so that the number 1 is free
 * for a place that no one knows.
 */
export class PlaceWriter {
  readonly #out = new ProtobufWriter();
  #longitude = 0;
  #latitude = 0;

  get length(): number {
    return this.#out.length;
  }

  add(longitude: number, latitude: number): void {
    if (longitude === NO_PLACE) {
      this.#out.varint(1);
      return;
    }
    const east = longitude - this.#longitude;
    this.#out.varint(2 * (east < 0 ? -2 * east - 1 : 2 * east));
    this.#out.signed(latitude - this.#latitude);
    this.#longitude = longitude;
    this.#latitude = latitude;
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#out.clear();
    this.#longitude = 0;
    this.#latitude = 0;
  }

  /** The bytes written, as a view that the next write invalidates. */
  view(): Uint8Array {
    return this.#out.view();
  }

  /** A copy of the bytes written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#out.finish();
  }
}

export class PlaceReader {
  readonly #bytes: ProtobufReader;
  #longitude = 0;
  #latitude = 0;
  /** Of the place that `next` came to; NO_PLACE when no one knows it. */
  longitude = NO_PLACE;
  latitude = NO_PLACE;

  constructor(bytes: ProtobufReader) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#bytes.more;
  }

  next(): void {
    const east = this.#bytes.varint();
    if (east === 1) {
      this.longitude = this.latitude = NO_PLACE;
      return;
    }
    const zigzag = east / 2;
    this.longitude = this.#longitude += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    this.latitude = this.#latitude += this.#bytes.signed();
  }
}

/** So many places as [longitude, latitude, longitude, latitude …]. */
export function lineOf(bytes: ProtobufReader, count: number): Int32Array {
  const line = new Int32Array(2 * count);
  const places = new PlaceReader(new ProtobufReader(bytes.bytes, bytes.at, bytes.end));
  for (let at = 0; at < line.length; at += 2) {
    places.next();
    line[at] = places.longitude;
    line[at + 1] = places.latitude;
  }
  return line;
}
