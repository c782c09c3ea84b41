import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../bench/support/load.ts";

/**
 * Devices that walk in and out of three geofences and keep account of every answer. What is not acknowledged is sent
 * again, unchanged, until it is, as a client with a bad connection would.
 *
 *        ( north )          0.003° = 333 m between the centres, radius 220 m:
 *      ( south (+) )        the spots lie in one, in both, in the square, or in none
 *             [ square ]
 */
const SPOTS = [
  [0, 0],
  [0.0015, 0],
  [0.003, 0],
  [-0.003, 0.003],
  [0.02, 0.02],
] as const;
const ORIGIN = { latitude: 40.7, longitude: -74 };

export const FENCES = {
  south: { type: "circle", coordinates: [ORIGIN.longitude, ORIGIN.latitude], radius: 220 },
  north: { type: "circle", coordinates: [ORIGIN.longitude, ORIGIN.latitude + 0.003], radius: 220 },
  square: {
    type: "polygon",
    coordinates: [
      [-73.998, 40.696],
      [-73.996, 40.696],
      [-73.996, 40.698],
      [-73.998, 40.698],
      [-73.998, 40.696],
    ],
  },
};

interface Update {
  deviceId: string;
  latitude: number;
  longitude: number;
  accuracy: number;
  foreground: boolean;
  updatedAt: string;
}

/** A user as the last answer told it. */
export interface Told {
  _id: string;
  updatedAt: string;
  geofences: { _id: string }[];
}

export interface Account {
  /** Events by id, as acknowledged. */
  events: Map<string, { type: string; user: { deviceId: string } }>;
  /** Users by device, as last acknowledged. */
  users: Map<string, Told>;
  /** Updates that were sent and not acknowledged yet, by device. */
  pending: Map<string, Update>;
  acknowledged: number;
  /** Sent again after no answer or a bad one. */
  repeated: number;
}

export interface Travellers {
  account: Account;
  /** Stops sending; what is on its way then stays pending unless its answer still comes. */
  stop(): Promise<void>;
}

/** Sends travellers on their way, one update of a device after the other, several devices at a time. */
export function travel(
  server: () => { url: string },
  key: string,
  random: () => number,
  { lanes, devicesPerLane }: { lanes: number; devicesPerLane: number },
): Travellers {
  const account: Account = {
    events: new Map(),
    users: new Map(),
    pending: new Map(),
    acknowledged: 0,
    repeated: 0,
  };
  let stopped = false;
  const lane = async (number: number) => {
    for (let turn = 0; !stopped; turn++) {
      const deviceId = `device-${number}-${turn % devicesPerLane}`;
      const update = nextUpdate(deviceId, account.users.get(deviceId), random);
      account.pending.set(deviceId, update);
      while (!stopped && !(await deliver(server(), key, update, account))) {
        account.repeated++;
        await sleep(100);
      }
    }
  };
  const ways = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return {
    account,
    async stop() {
      stopped = true;
      await ways;
    },
  };
}

function nextUpdate(deviceId: string, last: Told | undefined, random: () => number): Update {
  const [north, east] = SPOTS[Math.floor(random() * SPOTS.length)];
  const time = Math.max(Date.now(), last ? Date.parse(last.updatedAt) + 1 : 0);
  return {
    deviceId,
    latitude: ORIGIN.latitude + north,
    longitude: ORIGIN.longitude + east,
    accuracy: 5,
    foreground: true,
    updatedAt: new Date(time).toISOString(),
  };
}

/** One try. false: no answer, or one that acknowledges nothing. */
async function deliver(server: { url: string }, key: string, body: Update, account: Account): Promise<boolean> {
  try {
    const request = { method: "POST", path: "/v1/track", headers: { authorization: key }, body } as const;
    const { status, text } = await send(server, request);
    if (status !== 200) return false;
    const answer = JSON.parse(text);
    for (const event of answer.events) account.events.set(event._id, event);
    account.users.set(body.deviceId, answer.user);
    account.pending.delete(body.deviceId);
    account.acknowledged++;
    return true;
  } catch {
    return false; // the server died with the request in its hands
  }
}
