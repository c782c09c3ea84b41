import { wireDate } from "../date.ts";

/**
 * GPX 1.1 (https://www.topografix.com/GPX/1/1/) of a recorded path: a track per device, split into segments at long
 * silences, so that no map draws a line over a gap.
 */
export interface Waypoint {
  /** [ms] */
  at: number;
  latitude: number;
  longitude: number;
  /** [m] */
  altitude?: number;
}

/** A silence after which a new segment begins [ms]. */
const SEGMENT_GAP_MS = 15 * 60 * 1000;

export function gpxHead(): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Graticule" xmlns="http://www.topografix.com/GPX/1/1"',
    '  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    '  xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">\n',
  ].join("\n");
}

/** Begins a device's track; its points follow, then `GPX_TRACK_END`. */
export function gpxTrack(name: string): string {
  return `<trk><name>${xmlText(name)}</name>\n<trkseg>\n`;
}

export const GPX_TRACK_END = "</trkseg>\n</trk>\n";
export const GPX_TAIL = "</gpx>\n";

/** Between two unconnected parts of a track. */
export const GPX_BREAK = "</trkseg>\n<trkseg>\n";

/** A point whose time may be unknown. */
export function gpxPlace({ latitude, longitude, at }: Omit<Waypoint, "at"> & { at?: number | undefined }): string {
  const time = at === undefined ? "" : `<time>${wireDate(at)}</time>`;
  return `<trkpt lat="${plain(latitude)}" lon="${plain(longitude)}">${time}</trkpt>\n`;
}

/** The text of one point; `before` is the previous one. */
export function gpxPoint(point: Waypoint, before?: Waypoint): string {
  const gap = before && point.at - before.at > SEGMENT_GAP_MS ? GPX_BREAK : "";
  const elevation = point.altitude === undefined ? "" : `<ele>${plain(point.altitude)}</ele>`;
  const position = `lat="${plain(point.latitude)}" lon="${plain(point.longitude)}"`;
  return `${gap}<trkpt ${position}>${elevation}<time>${wireDate(point.at)}</time></trkpt>\n`;
}

/** Decimals without an exponent, which xsd:decimal doesn't support; a millionth of a millimeter is precise enough. */
function plain(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(12).replace(/\.?0+$/, "") : text;
}

/** Text for XML. Characters that XML 1.0 forbids, such as control characters and lone surrogates, are omitted. */
export function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
