import { expect, it } from "vitest";
import { delayAt } from "../../src/core/tracking/trips.ts";
import { TRIP_STATUSES, type Trip } from "../../src/core/tracking/types/trip.ts";
import { delayNow, minutesLeft, OPEN_STATUSES, tripOverdueBy } from "../../src/dashboard/pages/trips/times-of-now.ts";
import { random } from "../../src/demo/world/random.ts";
import { wireTrip } from "../../src/worker/wire/trip.ts";

const MINUTE = 60_000;
const draw = random("a page that stays open while time passes");

it("a page that stays open shows the delay that the API would compute at each moment, and an ETA that runs down", () => {
  for (let round = 0; round < 500; round++) {
    const asked = 1_800_000_000_000 + draw.below(1000) * MINUTE;
    const near = () => asked + (draw.below(240) - 120) * MINUTE;
    const status = draw.pick(TRIP_STATUSES);
    const eta = draw.below(3) > 0 ? { duration: draw.below(90), distance: 1000, at: asked } : undefined;
    const trip: Trip = {
      ...{ _id: "1", live: false, externalId: "1", mode: "car", version: 1, createdAt: asked, updatedAt: asked },
      ...{ status, eta },
      ...(draw.below(4) > 0 && { scheduledArrivalAt: near() }),
      ...(draw.below(4) === 0 && { arrivedAt: near() }),
    };
    const arrival = trip.arrivedAt ?? (eta && asked + eta.duration * MINUTE);
    if (trip.scheduledArrivalAt !== undefined && arrival !== undefined)
      trip.delay = (arrival - trip.scheduledArrivalAt) / MINUTE;
    const shown = JSON.parse(JSON.stringify(wireTrip(trip, asked)));
    for (const later of [0, 0.5, 7, 60, 500].map((minutes) => asked + minutes * MINUTE)) {
      const expected = delayAt(trip, later);
      const delay = delayNow(shown, later);
      if (expected === undefined) expect(delay).toBeUndefined();
      else expect(delay).toBeCloseTo(expected, 6);
      const left = minutesLeft(shown, later);
      if (eta) expect(left).toBeCloseTo(eta.duration - (later - asked) / MINUTE, 6);
      else expect(left).toBeUndefined();
      // One number for one lateness: that of the API's delay, if there is a schedule.
      const isWaitedFor = OPEN_STATUSES.includes(status) && trip.arrivedAt === undefined && eta !== undefined;
      const due = Math.max(asked + (eta?.duration ?? 0) * MINUTE, trip.scheduledArrivalAt ?? 0);
      const overdue = tripOverdueBy(shown, later);
      if (!isWaitedFor || later <= due) expect(overdue).toBeUndefined();
      else
        expect(overdue).toBeCloseTo(
          trip.scheduledArrivalAt === undefined ? -(left as number) : (expected as number),
          6,
        );
    }
  }
});
