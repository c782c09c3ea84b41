import { describe, expect, it } from "vitest";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { wireUser } from "../../../src/worker/wire/user.ts";
import { Device } from "../../core/tracking/world.ts";

const REGIONS = {
  country: { _id: "1", type: "country", code: "US", name: "United States", flag: "🇺🇸" },
  state: { _id: "2", type: "state", code: "NJ", name: "New Jersey" },
  dma: { _id: "3", type: "dma", code: "504", name: "Philadelphia" },
  postalCode: { _id: "4", type: "postalCode", code: "08002", name: "08002" },
} as const;
const KINDS = Object.keys(REGIONS) as (keyof typeof REGIONS)[];

describe("a user", () => {
  it.each(KINDS)("shows the region of each kind that it is in: %s", (kind) => {
    const device = new Device();
    const regions = { [kind]: REGIONS[kind] };
    device.around = { fences: [], regions };
    device.send(0);
    const user = wireUser(device.state as UserState);
    expect(Object.fromEntries(KINDS.map((one) => [one, user[one]]))).toEqual(regions);
  });
});
