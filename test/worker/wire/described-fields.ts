import { z } from "zod";
import { context } from "../../../src/worker/http/track/context.ts";
import { rejectedShape, replayTrack } from "../../../src/worker/http/track/replay.ts";
import { syncRegion } from "../../../src/worker/http/track/sync.ts";
import { track } from "../../../src/worker/http/track/track.ts";
import { trackBody } from "../../../src/worker/http/track/track-body.ts";
import { verifiedShape, verifiedUserShape } from "../../../src/worker/http/track/verified.ts";
import { addressShape, timeZoneShape } from "../../../src/worker/wire/address.ts";
import { alertShape } from "../../../src/worker/wire/alert.ts";
import { beaconShape } from "../../../src/worker/wire/beacon.ts";
import { routeShape } from "../../../src/worker/wire/directions.ts";
import { eventShape } from "../../../src/worker/wire/event.ts";
import { fraudShape } from "../../../src/worker/wire/fraud.ts";
import { geofenceShape } from "../../../src/worker/wire/geofence.ts";
import { legShape } from "../../../src/worker/wire/leg.ts";
import { sharedTripShape, shareShape } from "../../../src/worker/wire/share.ts";
import { fenceLabelShape, placeShape, regionShape } from "../../../src/worker/wire/surroundings.ts";
import { tripShape } from "../../../src/worker/wire/trip.ts";
import { explanationShape, updateShape } from "../../../src/worker/wire/updates.ts";
import { userShape } from "../../../src/worker/wire/user.ts";
import { attemptShape, deadLetterShape, webhookShape } from "../../../src/worker/wire/webhook.ts";

/** Shapes of the reference by their names here. */
export const SHAPES: Readonly<Record<string, z.ZodType>> = {
  address: addressShape,
  timeZone: timeZoneShape,
  alert: alertShape,
  beacon: beaconShape,
  route: routeShape,
  event: eventShape,
  fraud: fraudShape,
  geofence: geofenceShape,
  leg: legShape,
  share: shareShape,
  sharedTrip: sharedTripShape,
  fence: fenceLabelShape,
  place: placeShape,
  region: regionShape,
  trip: tripShape,
  explanation: explanationShape,
  update: updateShape,
  user: userShape,
  attempt: attemptShape,
  deadLetter: deadLetterShape,
  webhook: webhookShape,
  trackBody,
  verified: verifiedShape,
  verifiedUser: verifiedUserShape,
  rejected: rejectedShape,
  trackAnswer: track.response as z.ZodType,
  replayBody: replayTrack.body as z.ZodType,
  replayAnswer: replayTrack.response as z.ZodType,
  syncBody: syncRegion.body as z.ZodType,
  syncAnswer: syncRegion.response as z.ZodType,
  contextQuery: context.query as z.ZodType,
  contextAnswer: context.response as z.ZodType,
};

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Paths of a shape whose description is not empty. */
export function describedIn(shape: z.ZodType): string[] {
  const found: string[] = [];
  const visit = ({ description, properties, items, anyOf }: Schema, path: string) => {
    if (description) found.push(path);
    for (const [name, field] of Object.entries(properties ?? {})) visit(field, `${path}.${name}`);
    if (items) visit(items, `${path}[]`);
    for (const one of anyOf ?? []) visit(one, path);
  };
  visit(z.toJSONSchema(shape, { io: "input", unrepresentable: "any" }) as Schema, "");
  return [...new Set(found)];
}
