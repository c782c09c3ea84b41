import type { Graticule } from "../../index.ts";
import { UsageError } from "./command.ts";

/** Positions in arguments: "48.2,16.37", or the name of a place. */

export interface Position {
  latitude: number;
  longitude: number;
  label: string;
}

const PAIR = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/;

export function parsePair(text: string): Position | undefined {
  const [, latitude, longitude] = PAIR.exec(text) ?? [];
  if (latitude === undefined) return undefined;
  return { latitude: Number(latitude), longitude: Number(longitude), label: text.trim() };
}

/** Looks up a name unless the text has coordinates. @throws UsageError if nothing is found */
export async function positionOf(client: Graticule, text: string): Promise<Position> {
  const pair = parsePair(text);
  if (pair) return pair;
  const { addresses } = await client.forwardGeocode({ query: text, layers: "fine,coarse", limit: 1 });
  const [first] = addresses;
  if (!first) throw new UsageError(`No place named "${text}" was found.`);
  return { latitude: first.latitude, longitude: first.longitude, label: first.formattedAddress ?? text };
}

export const pairText = ({ latitude, longitude }: Position) => `${latitude},${longitude}`;
