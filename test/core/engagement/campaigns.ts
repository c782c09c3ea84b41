import { openBook } from "../../../src/core/engagement/book.ts";
import type { Campaign } from "../../../src/core/engagement/campaign.ts";
import { EMPTY_LEDGER, type Ledger } from "../../../src/core/engagement/ledger.ts";
import type { Grants } from "../../../src/core/engagement/person.ts";
import { sendCampaigns } from "../../../src/core/engagement/send.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import { Device, fenceOf, HOME, NOON } from "../tracking/world.ts";

export const USER_ID = "a1b2c3d4e5f6a1b2c3d4e5f6";

/** A campaign that is sent at each entry of a geofence with the tag "store". */
export const campaign = (more: Partial<Campaign> = {}): Campaign => ({
  _id: "c1",
  createdAt: 1,
  updatedAt: 1,
  name: "Spring",
  type: "inAppMessage",
  enabled: true,
  trigger: { event: "user.entered_geofence", geofenceTags: ["store"] },
  content: { title: { text: "Hello", color: "#000000" }, body: { text: "Coffee", color: "#000000" } },
  ...more,
});

/** A user that entered a geofence at noon (a Wednesday), with its event. */
export function entered(tag = "store", person: Partial<Parameters<Device["report"]>[0]> = {}) {
  const device = new Device();
  device.around = { fences: [fenceOf("f1", HOME, 100, { tag })] };
  const { state, events } = device.report({ ...person });
  return { state, events, now: device.clock };
}

/** Sends an event after some minutes, with a ledger that goes on from call to call. */
export class Sender {
  ledger: Ledger = EMPTY_LEDGER;
  readonly book;
  zone: string | undefined;

  constructor(...campaigns: Campaign[]) {
    this.book = openBook(1, campaigns);
  }

  /** The ids of the campaigns that are sent. */
  send(minutes: number, { state, events, now } = entered(), grants: Grants = new Map()): string[] {
    const at = now + minutes * 60_000;
    const later = events.map((event): TrackEvent => ({ ...event, createdAt: event.createdAt + minutes * 60_000 }));
    const outcome = sendCampaigns(this.book, this.ledger, state, later, { now: at, timeZone: this.zone }, grants);
    if (outcome.needs.length > 0) return outcome.needs.map((ask) => `needs ${ask.campaign._id}`);
    this.ledger = outcome.ledger;
    return outcome.sent.map((one) => one.campaign);
  }

  get refusal(): string | undefined {
    return this.ledger.by.c1?.refused?.reason;
  }
}

export { NOON };
