import type { Coordinate } from "../../src/core/geo/coordinate.ts";
import { distance } from "../../src/core/geo/distance.ts";
import { atByBruteForce } from "../core/places/brute-force.ts";
import type { Report } from "./journeys.ts";
import { type DrawnFence, MAX_FENCE_RADIUS, type Town } from "./town.ts";

/**
 * The plain account of a device's day: where it is, by looking at everything with every report, and what that means, in
 * the words of the reference. Shares nothing with the tracking room. An entry is "type subject", an exit "type subject minutes".
 */
export class Account {
  private readonly town: Town;
  private readonly accuracy: number;
  private readonly dwellMinutes: number;
  private readonly fences = new Map<string, { fence: DrawnFence; since: number; dwelled: boolean }>();
  private readonly regions = new Map<string, { code: string; since: number }>();
  private readonly beacons = new Map<string, number>();
  private place: { id: string; reach: number; center: Coordinate; since: number; fix: Coordinate } | undefined;
  private trip: { goal: DrawnFence; status: "started" | "approaching" | "arrived" } | undefined;

  constructor(town: Town, accuracy: number, dwellMinutes: number) {
    this.town = town;
    this.accuracy = accuracy;
    this.dwellMinutes = dwellMinutes;
  }

  /** What a report brings; `etaMinutes`: to the goal of the trip it is on. */
  report(report: Report, etaMinutes: number | undefined, thresholdMinutes: number): string[] {
    const told: string[] = [];
    const entered = this.lookAtFences(report, told);
    this.lookAtRegions(report, told);
    this.lookAtPlaces(report, told);
    this.lookAtBeacons(report, told);
    this.lookAtTrip(report, entered, etaMinutes, thresholdMinutes, told);
    return told.sort();
  }

  /** The dispatcher ends the trip. */
  finish(): string[] {
    const told = this.trip ? [`stopped_trip ${this.trip.goal.id}`] : [];
    this.trip = undefined;
    return told;
  }

  inside(): string[] {
    return [...this.fences.keys()].sort();
  }

  /** In with the accuracy circle touching, out with all of it outside. */
  private lookAtFences({ at, location }: Report, told: string[]): DrawnFence[] {
    const entered: DrawnFence[] = [];
    const visited = [...this.fences.values()].map(({ fence }) => fence);
    for (const fence of new Set([...this.town.fences.filter(isWithinReach(location)), ...visited])) {
      const touches = edgeDistance(fence, location) <= this.accuracy;
      const visit = this.fences.get(fence.id);
      if (!visit && touches) {
        this.fences.set(fence.id, { fence, since: at, dwelled: false });
        entered.push(fence);
        told.push(`entered_geofence ${fence.id}`);
      } else if (visit && !touches) {
        this.fences.delete(fence.id);
        told.push(`exited_geofence ${fence.id} ${minutes(at - visit.since)}`);
      } else if (visit && !visit.dwelled && at - visit.since > this.dwellMinutes * 60_000) {
        visit.dwelled = true;
        told.push(`dwelled_in_geofence ${fence.id}`);
      }
    }
    return entered;
  }

  private lookAtRegions({ at, location }: Report, told: string[]): void {
    const names = this.town.regionsByHand(location).map((name) => name.split(" "));
    for (const [kind, suffix] of [
      ["country", "region_country"],
      ["postalCode", "region_postal_code"],
    ]) {
      const code = names.find(([one]) => one === kind)?.at(-1);
      const held = this.regions.get(kind);
      if (held?.code === code) continue;
      if (held) told.push(`exited_${suffix} ${held.code} ${minutes(at - held.since)}`);
      if (code === undefined) this.regions.delete(kind);
      else {
        told.push(`entered_${suffix} ${code}`);
        this.regions.set(kind, { code, since: at });
      }
    }
  }

  /** In when it stands there; out when it has gone, or stands in another place that is not the same spot. */
  private lookAtPlaces({ at, location, moving }: Report, told: string[]): void {
    const here = atByBruteForce(
      this.town.places.filter((place) => !isFar(place.location, location)),
      location,
    );
    const held = this.place;
    const gone =
      held !== undefined && held.id !== here?.id && distance(location, held.center) > held.reach + this.accuracy;
    const arrives = !moving && here !== undefined && here.id !== held?.id;
    const elsewhere = held !== undefined && distance(location, held.fix) > 4 * this.accuracy;
    if (held && (gone || (arrives && elsewhere))) {
      told.push(`exited_place ${held.id} ${minutes(at - held.since)}`);
      this.place = undefined;
    }
    if (arrives && this.place === undefined) {
      told.push(`entered_place ${here.id}`);
      this.place = { id: here.id, reach: here.footprint + 75, center: here.location, since: at, fix: location };
    }
  }

  private lookAtBeacons({ at, location }: Report, told: string[]): void {
    const heard = new Set(hears(this.town, location));
    for (const [id, since] of this.beacons) {
      if (heard.has(id)) continue;
      this.beacons.delete(id);
      told.push(`exited_beacon ${id} ${minutes(at - since)}`);
    }
    for (const id of heard) {
      if (this.beacons.has(id)) continue;
      this.beacons.set(id, at);
      told.push(`entered_beacon ${id}`);
    }
  }

  private lookAtTrip(
    { begins }: Report,
    entered: readonly DrawnFence[],
    etaMinutes: number | undefined,
    thresholdMinutes: number,
    told: string[],
  ): void {
    if (begins) this.trip = { goal: begins, status: "started" };
    const { trip } = this;
    if (!trip) return;
    const before = told.length;
    if (begins) told.push(`started_trip ${begins.id}`);
    if (trip.status !== "arrived" && this.fences.has(trip.goal.id)) {
      trip.status = "arrived";
      told.push(`arrived_at_trip_destination ${trip.goal.id}`);
    } else if (trip.status === "started" && etaMinutes !== undefined && etaMinutes <= thresholdMinutes) {
      trip.status = "approaching";
      told.push(`approaching_trip_destination ${trip.goal.id}`);
    }
    if (entered.some(({ tag, id }) => tag === trip.goal.tag && id !== trip.goal.id)) {
      told.push(`arrived_at_wrong_trip_destination ${trip.goal.id}`);
    }
    if (told.length === before) told.push(`updated_trip ${trip.goal.id}`);
  }
}

/** The largest geofence and the worst accuracy, and some more, in degrees of latitude. */
const REACH = (MAX_FENCE_RADIUS + 100) / 111_195;

/** Not so far north, south, east or west that a geofence cannot be touched. */
function isWithinReach({ latitude, longitude }: Coordinate): (fence: DrawnFence) => boolean {
  const east = REACH / Math.cos((latitude * Math.PI) / 180);
  return ({ center }) =>
    Math.abs(center.latitude - latitude) <= REACH && Math.abs(center.longitude - longitude) <= east;
}

/** More than two kilometres to the north or south: nothing in this town reaches that far. */
const isFar = (a: Coordinate, b: Coordinate) => Math.abs(a.latitude - b.latitude) > 0.018;

/** A device hears what hangs within 40 m. */
export function hears(town: Town, location: Coordinate): string[] {
  return town.beacons
    .filter((beacon) => !isFar(location, beacon.location) && distance(location, beacon.location) <= 40)
    .map(({ id }) => id);
}

export const minutes = (ms: number): string => (ms / 60_000).toFixed(3);

/** From a point to the edge [m], negative inside: rays and segments on a plane through the point. */
function edgeDistance({ center, radius, ring }: DrawnFence, point: Coordinate): number {
  const apart = distance(center, point);
  if (!ring) return apart - radius;
  if (apart > 2000) return apart;
  const east = 111_195.08 * Math.cos((point.latitude * Math.PI) / 180);
  const corners = ring.map(([lon, lat]) => [(lon - point.longitude) * east, (lat - point.latitude) * 111_195.08]);
  let inside = false;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < corners.length; i++) {
    const [[x1, y1], [x2, y2]] = [corners[i - 1], corners[i]];
    if (y1 > 0 !== y2 > 0 && x1 - (y1 * (x2 - x1)) / (y2 - y1) > 0) inside = !inside;
    const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * (x2 - x1) + y1 * (y2 - y1)) / length));
    nearest = Math.min(nearest, Math.hypot(x1 + part * (x2 - x1), y1 + part * (y2 - y1)));
  }
  return inside ? -nearest : nearest;
}
