import { openLocalDatabase } from "../../../src/server/data/local-database.ts";
import { type PlatformOptions, type PlatformWorker, startPlatform } from "../../bench/worker.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Answer = { status: number; body: any };
export type Keys = PlatformWorker["keys"];

export const HERE = { latitude: 40.7, longitude: -74 };
export const AWAY = { latitude: 41, longitude: -74 };

export interface Platform extends PlatformWorker {
  call(method: string, path: string, json?: unknown, key?: string): Promise<Answer>;
  /** A webhook with these fields; its id and secret. */
  webhook(fields: Record<string, unknown>, key?: string): Promise<{ id: string; secret: string }>;
  /** Moves a device to a place; the events this made. */
  move(
    deviceId: string,
    to: { latitude: number; longitude: number },
    more?: Record<string, unknown>,
    key?: string,
  ): Promise<{ _id: string; type: string }[]>;
  sql(query: string): Promise<Record<string, unknown>[]>;
}

/** The Worker in a workerd of its own, with one geofence, receivers on loopback allowed, and a schedule of seconds. */
export async function startWebhookPlatform(
  schedule = "0 0.2 0.4",
  allowPrivate = true,
  beside?: PlatformOptions["beside"],
): Promise<Platform> {
  // 0.0001 % of 10 GB: any database is larger.
  const bindings: Record<string, string> = { WEBHOOK_SCHEDULE: schedule, ALERT_LIMITS: "storage=0.0001" };
  if (allowPrivate) bindings.ALLOW_PRIVATE_HOSTS = "true";
  const unlimited = [
    ...["track", "createWebhook", "updateWebhook", "deleteWebhook", "getWebhook", "testWebhook", "webhookDeliveries"],
    ...["listDeadLetters", "replayDeadLetters", "replayDeadLetter", "rotateWebhookSecret", "listEvents", "deleteUser"],
    ...["getUser", "upsertGeofence"],
  ];
  const worker = await startPlatform({ unlimited, bindings, beside });
  const call: Platform["call"] = async (method, path, json, key = worker.keys.testSecret) => {
    const response = await fetch(worker.url + path, {
      method,
      headers: { authorization: key, "content-type": "application/json" },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  };
  for (const key of [worker.keys.testSecret, worker.keys.liveSecret]) {
    const fence = { description: "Home", type: "circle", coordinates: [HERE.longitude, HERE.latitude], radius: 200 };
    await call("PUT", "/v1/geofences/home/one", fence, key);
  }
  return {
    ...worker,
    call,
    async webhook(fields, key) {
      const { status, body } = await call("POST", "/v1/webhooks", fields, key);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { id: body.webhook._id, secret: body.webhook.secret };
    },
    async move(deviceId, to, more = {}, key = worker.keys.testPublishable) {
      const update = { deviceId, ...to, accuracy: 5, foreground: true, ...more };
      const { status, body } = await call("POST", "/v1/track", update, key);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.events;
    },
    async sql(query) {
      const database = openLocalDatabase(worker.state);
      try {
        return (await database.batch([{ sql: query }]))[0];
      } finally {
        database.close();
      }
    },
  };
}

/** Waits until it is so, or fails with what it was. */
export async function until<T>(ask: () => T | Promise<T>, is: (value: T) => boolean, forMs = 30_000): Promise<T> {
  const end = Date.now() + forMs;
  for (;;) {
    const value = await ask();
    if (is(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)?.slice(0, 2000)} after ${forMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
