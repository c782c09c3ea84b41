import type { Tags } from "../../../osm/pbf/element.ts";
import { ZONE_LIMITS } from "./tables.ts";

export type Direction = "forward" | "backward";

/** The value of the first key present, its `key:forward` or `key:backward` going before the key itself. */
export function directedValue(tags: Tags, keys: readonly string[], direction: Direction): string | undefined {
  for (const key of keys) {
    const value = tags[directed(key, direction)] ?? tags[key];
    if (value) return value;
  }
  return undefined;
}

const DIRECTED = { forward: new Map<string, string>(), backward: new Map<string, string>() };

/** `key:forward`, `key:backward`: made once, as looking up a text that was just put together takes ten times as long. */
export function directed(key: string, direction: Direction): string {
  let made = DIRECTED[direction].get(key);
  if (made === undefined) {
    made = `${key}:${direction}`;
    DIRECTED[direction].set(key, made);
  }
  return made;
}

/** "50", "30 mph", "10 knots", "DE:rural", "DE:zone30", "none", "walk" → km/h; undefined when it says nothing. */
export function parseSpeed(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const number = Number.parseFloat(text);
  if (Number.isFinite(number)) {
    if (/mph|mp\/h/.test(text)) return number * 1.609;
    return /knots/.test(text) ? number * 1.852 : number;
  }
  const numbered = /^\w+(?:-\w+)?:(?:zone:?)?(\d+)$/i.exec(text);
  if (numbered) return Number(numbered[1]);
  const zone = text.toLowerCase();
  const limit = ZONE_LIMITS[zone] ?? ZONE_LIMITS[zone.split(":").pop() ?? ""];
  return limit === 0 ? undefined : limit;
}

/** "3.5", "3,5", "3.5 m", "350 cm", "12 ft", "12'6\"", "12 ft 6 in" → metres. */
export function parseLength(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const feet = /^(\d+(?:\.\d+)?)\s*(?:'|ft)\s*(?:(\d+(?:\.\d+)?)\s*(?:"|''|in)?)?$/.exec(text.trim());
  if (feet) return Number(feet[1]) * 0.3048 + Number(feet[2] ?? 0) * 0.0254;
  const number = Number.parseFloat(text.replace(",", "."));
  if (!Number.isFinite(number)) return undefined;
  if (/\bft|feet/.test(text)) return number * 0.3048;
  return /cm/.test(text) ? number / 100 : number;
}

/** "7.5", "7.5 t", "7500 kg", "16000 lbs", "10 st" (short tons) → tonnes. */
export function parseWeight(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const number = Number.parseFloat(text.replace(",", "."));
  if (!Number.isFinite(number)) return undefined;
  if (/kg/.test(text)) return number / 1000;
  if (/lb/.test(text)) return number * 0.000453592;
  return /\dst\b|\bst\b/.test(text) ? number * 0.907185 : number;
}

/** "45" (minutes), "1:30", "00:10:30", "PT1H30M" → seconds. */
export function parseDuration(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const iso = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text);
  if (iso && text.length > 2) {
    return Number(iso[1] ?? 0) * 86400 + Number(iso[2] ?? 0) * 3600 + Number(iso[3] ?? 0) * 60 + Number(iso[4] ?? 0);
  }
  if (/^\d+$/.test(text)) return Number(text) * 60;
  const clock = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(text);
  return clock ? Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0) : undefined;
}
