import { isPlaced } from "../../common/placed.ts";

/** Types of geometry in Well-Known Binary (OGC 06-103r4, 8.2), as GeoParquet has them. */
const POINT = 1;
const POLYGON = 3;
const MULTI_POLYGON = 6;

type Ring = [longitude: number, latitude: number][];

/** The position of a point; undefined for another geometry, and for 0, 0 and the like. */
export function pointOf(bytes: Uint8Array): { longitude: number; latitude: number } | undefined {
  if (bytes.length < 21) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 1;
  if ((view.getUint32(1, little) & 0xff) !== POINT) return undefined;
  const [longitude, latitude] = [view.getFloat64(5, little), view.getFloat64(13, little)];
  return isPlaced(latitude, longitude) ? { longitude, latitude } : undefined;
}

/** All rings of a polygon or of several, outer ones and holes; [] for another geometry. @throws RangeError if it is cut */
export function ringsOf(bytes: Uint8Array): Ring[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rings: Ring[] = [];
  let at = 0;
  const read = (): void => {
    const little = view.getUint8(at) === 1;
    const type = view.getUint32(at + 1, little) & 0xff;
    at += 5;
    const count = () => {
      at += 4;
      return view.getUint32(at - 4, little);
    };
    if (type === MULTI_POLYGON) for (let left = count(); left > 0; left--) read();
    else if (type === POLYGON) {
      for (let left = count(); left > 0; left--) {
        const ring: Ring = [];
        for (let points = count(); points > 0; points--) {
          ring.push([view.getFloat64(at, little), view.getFloat64(at + 8, little)]);
          at += 16;
        }
        if (ring.length >= 4) rings.push(ring);
      }
    }
  };
  read();
  return rings;
}
