import { setTimeout as sleep } from "node:timers/promises";

/** The platform rejected a request; the message names it. */
class PlatformError extends Error {}

/** Tries of a call that comes too often, each after the pause that the platform asks for. */
const TRIES = 30;

type Json = Record<string, unknown>;

/** Pause between two calls with updates of a device [ms]. */
const MIN_DEVICE_PAUSE_MS = 1100;
/** Calls per second of an endpoint: a little below the limit, which is ten for most. */
export const DEFAULT_CALLS_PER_SECOND = 8;

/** The local platform as a customer's server calls it: through its endpoints, within their limits. */
export class Platform {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #pauseMs: number;
  /** Per device: resolved when it can send updates again. */
  readonly #resting = new Map<string, Promise<unknown>>();
  /** Per endpoint: resolved when it can be called next. */
  readonly #next = new Map<string, Promise<unknown>>();

  constructor(baseUrl: string, key: string, callsPerSecond = DEFAULT_CALLS_PER_SECOND) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#pauseMs = 1000 / callsPerSecond;
  }

  /** Returns the response. @throws PlatformError for every status that is neither a success nor allowed */
  async call<T = Json>(method: string, path: string, body?: Json, allowed: readonly number[] = []): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await this.#turn(`${method} ${endpointOf(path)}`);
      const answer = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: { authorization: this.#key, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status === 429 && attempt < TRIES) {
        await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1) * (0.5 + Math.random()));
        continue;
      }
      if (!answer.ok && !allowed.includes(answer.status)) {
        throw new PlatformError(
          `${method} ${path.replace(/\?.*/, "")} returned ${answer.status}: ${text.slice(0, 300)}`,
        );
      }
      return (text === "" ? {} : JSON.parse(text)) as T;
    }
  }

  /** Sends updates of a device, of which the platform accepts one call per second. */
  async replay(device: string, replays: readonly object[]): Promise<void> {
    await this.#resting.get(device);
    await this.call("POST", "/v1/track/replay", { replays });
    // Counted from the response: the call itself may have waited for its turn.
    this.#resting.set(device, sleep(Math.max(this.#pauseMs, MIN_DEVICE_PAUSE_MS)));
  }

  /** Waits until the endpoint can be called again, so that no call exceeds its limit. */
  async #turn(endpoint: string): Promise<void> {
    const turn = this.#next.get(endpoint) ?? Promise.resolve();
    // Counted from when the call is sent: after a busy moment, waiting calls must not be sent together.
    this.#next.set(
      endpoint,
      turn.then(() => sleep(this.#pauseMs)),
    );
    await turn;
  }
}

/** "/v1/users/demo-01/segments?x=1" → "/v1/users": endpoints of one family are counted together. */
const endpointOf = (path: string) =>
  path
    .replace(/\?.*/, "")
    .split("/")
    .slice(0, 4)
    .join("/")
    .replace(/(?<=\/v1\/(users|trips|webhooks|geofences))\/.*/, "");

/** Does the work of all, at most `atOnce` at the same time, in their order. */
export async function inTurns<T, R>(
  all: readonly T[],
  atOnce: number,
  work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done = new Array<R>(all.length);
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const index = next++;
      done[index] = await work(all[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
  return done;
}
