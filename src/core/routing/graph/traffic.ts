import { CAR, TRUCK } from "./modes.ts";

/** A part of the week with its own speeds: on its days from `from` to `until`, past midnight if `until` is earlier. */
export interface TimeWindow {
  /** Sum of 1 (Monday) … 64 (Sunday): the days on which it begins. */
  days: number;
  /** Minutes since midnight, 0 … 1440. */
  from: number;
  until: number;
}

/** A local time: day of the week and minute of the day. */
export interface LocalTime {
  /** Weeks since Monday 5 January 1970; 0 if absent, where dates do not matter. */
  week?: number;
  /** 0 Monday … 6 Sunday. */
  day: number;
  /** Since midnight, 0 ≤ minute < 1440. */
  minute: number;
}

/** More would make imports too slow and the overlay too large. */
export const MAX_WINDOWS = 8;

const DAY = 1440;

/**
 * Returns the speeds that apply at a time: 0 those of the map, 1 … n those of the n-th window. Windows do not overlap:
 * the import checks it.
 */
export function bucketAt(windows: readonly TimeWindow[], time: LocalTime | undefined): number {
  return time ? windows.findIndex((window) => holds(window, time)) + 1 : 0;
}

export function holds({ days, from, until }: TimeWindow, { day, minute }: LocalTime): boolean {
  const today = (days >> day) & 1;
  if (from < until) return today === 1 && from <= minute && minute < until;
  const yesterday = (days >> ((day + 6) % 7)) & 1;
  return (today === 1 && minute >= from) || (yesterday === 1 && minute < until);
}

/** Local minutes since Monday 5 January 1970 00:00. */
export const minuteOf = ({ week = 0, day, minute }: LocalTime): number => (week * 7 + day) * DAY + minute;

/** So many seconds later. */
export const later = (time: LocalTime, seconds: number): LocalTime =>
  localTimeOf(minuteOf(time) + Math.floor(seconds / 60));

/** The time at a local minute. */
export function localTimeOf(minute: number): LocalTime {
  const days = Math.floor(minute / DAY);
  return { week: Math.floor(days / 7), day: ((days % 7) + 7) % 7, minute: minute - days * DAY };
}

/** Speeds of edges in the windows of a build. */
export interface Traffic {
  windows: number;
  /** Each row: speeds [0.1 km/h] of a car in window 1 … n, then of a truck; 0 = default. */
  rows: readonly Uint16Array[];
  /** By edge: 0 = no row, else row + 1. */
  ofEdge: Uint16Array | Uint32Array;
}

/** Modes that other traffic slows down. */
export const TRAFFIC_MODES: readonly number[] = [CAR, TRUCK];

/** Speed [0.1 km/h] of an edge for a mode in a window (its bucket, from 1), 0 for the default. */
export function trafficSpeed({ windows, rows, ofEdge }: Traffic, edge: number, mode: number, bucket: number): number {
  const row = ofEdge[edge];
  return row === 0 ? 0 : rows[row - 1][TRAFFIC_MODES.indexOf(mode) * windows + bucket - 1];
}

/** The highest speed [0.1 km/h] of an edge for a mode in any window, 0 if it has none. */
export function fastestInTraffic({ traffic }: { traffic?: Traffic | undefined }, edge: number, mode: number): number {
  const at = TRAFFIC_MODES.indexOf(mode);
  if (!traffic || at < 0 || traffic.ofEdge[edge] === 0) return 0;
  const row = traffic.rows[traffic.ofEdge[edge] - 1];
  return row
    .subarray(at * traffic.windows, (at + 1) * traffic.windows)
    .reduce((most, speed) => Math.max(most, speed), 0);
}
