import { metres, minutes, Time } from "../../parts/values/format.tsx";
import { useNow } from "../../parts/values/now.ts";
import { StatusMark } from "./status.tsx";
import type { Trip } from "./trip.ts";

type Leg = NonNullable<Trip["legs"]>[number];

/** The stops of a trip in their order: how far each is, and when it was reached. */
export function TripLegs({ trip }: { trip: Trip }) {
  const isOver = trip.currentLeg === undefined;
  const now = useNow();
  const sinceEta = trip.eta?.updatedAt ? (now - Date.parse(trip.eta.updatedAt)) / 60_000 : 0;
  return (
    <section class="stack tight" aria-label="Legs">
      <h2>Legs</h2>
      <ol class="lineup">
        {trip.legs?.map((leg) => (
          <li key={leg._id} aria-current={leg._id === trip.currentLeg ? "step" : undefined}>
            {placeOf(leg)} <StatusMark status={leg.status} />
            <span class="block small muted">
              {leg.eta &&
                !isOver &&
                `${minutes(Math.max(0, leg.eta.duration - sinceEta))}, ${metres(leg.eta.distance)} to go`}
              {leg.eta && leg.stopDuration !== undefined && " · "}
              {leg.stopDuration !== undefined && `stop of ${minutes(leg.stopDuration)}`}
              {leg.arrivedAt && (
                <>
                  {" "}
                  arrived <Time at={leg.arrivedAt} as="exact" />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** "store / 12", the address, or the point. */
export function placeOf({ destination, destinationGeofenceTag: tag, destinationGeofenceExternalId: id }: Leg): string {
  if (destination.address !== undefined) return destination.address;
  if (tag !== undefined || id !== undefined) return [tag, id].filter(Boolean).join(" / ");
  const [longitude, latitude] = destination.location.coordinates;
  return destination.source.geofence ?? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
