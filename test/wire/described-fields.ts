import { z } from "zod";
import { context } from "../../src/http/track/context.ts";
import { rejectedShape, replayTrack } from "../../src/http/track/replay.ts";
import { syncRegion } from "../../src/http/track/sync.ts";
import { track } from "../../src/http/track/track.ts";
import { trackBody } from "../../src/http/track/track-body.ts";
import { verifiedShape, verifiedUserShape } from "../../src/http/track/verified.ts";
import { addressShape, timeZoneShape } from "../../src/wire/address.ts";
import { alertShape } from "../../src/wire/alert.ts";
import { beaconShape } from "../../src/wire/beacon.ts";
import { routeShape } from "../../src/wire/directions.ts";
import { eventShape } from "../../src/wire/event.ts";
import { fraudShape } from "../../src/wire/fraud.ts";
import { geofenceShape } from "../../src/wire/geofence.ts";
import { legShape } from "../../src/wire/leg.ts";
import { sharedTripShape, shareShape } from "../../src/wire/share.ts";
import { fenceLabelShape, placeShape, regionShape } from "../../src/wire/surroundings.ts";
import { tripShape } from "../../src/wire/trip.ts";
import { explanationShape, updateShape } from "../../src/wire/updates.ts";
import { userShape } from "../../src/wire/user.ts";
import { attemptShape, deadLetterShape, webhookShape } from "../../src/wire/webhook.ts";

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
