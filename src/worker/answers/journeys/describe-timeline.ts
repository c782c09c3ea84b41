import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { GeometryFormat } from "../../../core/geo/shapes/polyline.ts";
import type { Layer } from "../../../core/geocoding/search/search.ts";
import { meanSpeed } from "../../../core/tracking/journeys/journeys.ts";
import type { TimelinePart, VisitedJourney } from "../../../core/tracking/journeys/timeline.ts";
import { totalsOf } from "../../../core/tracking/journeys/timeline.ts";
import { openGeodata } from "../../geodata/live.ts";
import type { Asker } from "../../platform/call.ts";
import type { WireAddress } from "../../wire/address.ts";
import { type MatchedJourney, type WireTimelinePart, wireTimelinePart } from "../../wire/journey.ts";
import { addressesAt } from "../geocode/reverse.ts";
import { routerFor } from "../routes/road-router.ts";
import { matchJourney } from "./match-journey.ts";

interface Wanted {
  /** Absent: no lines. */
  geometry?: GeometryFormat | undefined;
  /** Of stops. */
  addresses: boolean;
  /** Match journeys to roads. */
  roads: boolean;
}

const LAYERS: ReadonlySet<Layer> = new Set<Layer>(["address", "locality", "state", "country"]);

/** Stops with their addresses and journeys along their roads, and the totals of both. */
export async function describeTimeline(call: Asker, parts: readonly TimelinePart[], wanted: Wanted) {
  const addresses = new Map<string, Promise<WireAddress | undefined>>();
  const timeline: WireTimelinePart[] = [];
  const shown: TimelinePart[] = [];
  for (const part of parts) {
    const { geometry } = wanted;
    if (part.kind === "stop") {
      const address = wanted.addresses ? await addressOf(call, part.location, addresses) : undefined;
      timeline.push(wireTimelinePart(part, { address }));
      shown.push(part);
    } else {
      const matched = wanted.roads ? await onRoads(call, part) : undefined;
      const onRoad = matched ? withDistance(part, matched.distance) : part;
      timeline.push(wireTimelinePart(onRoad, { matched, geometry }));
      shown.push(onRoad);
    }
  }
  return { timeline, totals: totalsOf(shown) };
}

async function onRoads(call: Asker, journey: VisitedJourney): Promise<MatchedJourney | undefined> {
  const { line } = journey;
  const router = await routerFor(call, [line[0], line[line.length >> 1], line[line.length - 1]]);
  return router && matchJourney(router, journey);
}

function withDistance(journey: VisitedJourney, distance: number): VisitedJourney {
  const longer = { ...journey, distance };
  return { ...longer, topSpeed: Math.max(journey.topSpeed, meanSpeed(longer)) };
}

/** Users return to the same places: a place is looked up once. */
function addressOf(call: Asker, location: Coordinate, known: Map<string, Promise<WireAddress | undefined>>) {
  const key = `${location.latitude.toFixed(4)} ${location.longitude.toFixed(4)}`;
  let found = known.get(key);
  if (!found) {
    found = openGeodata(call.env.GEODATA, call)
      .then((geodata) => addressesAt(geodata, location, LAYERS, "en", call.now))
      .then(([first]) => first);
    known.set(key, found);
  }
  return found;
}
