import { type Json, post, put, sleep, sql, type World } from "../../support/world.ts";
import { openWorld } from "../http/conformance/open-world.ts";

/** A geofence, and a place outside of it: devices cross it to and fro while their project moves. */
export const HOME = { latitude: 40.7, longitude: -74 };
export const AWAY = { latitude: 41, longitude: -74 };
export const DEVICES = 8;

/** A project in a database, whose track is not limited, with the geofence `home`. */
export async function openMovingProject(source: "DB_2" | "DB_EU"): Promise<World> {
  const world = await openWorld({ rateLimits: { track: 1000 } }, false, source);
  const fence = { description: "Home", type: "circle", coordinates: [HOME.longitude, HOME.latitude], radius: 200 };
  const { status } = await put("/v1/geofences/home/one", world.keys.testSecret, fence);
  if (status !== 200) throw new Error(`the geofence: ${status}`);
  return world;
}

/** Updates of the devices, and of whatever else runs, until `end`. */
export class Traffic {
  /** Ids of the events of all responses. */
  readonly told: string[] = [];
  /** Responses by status. */
  readonly statuses = new Map<number, number>();
  readonly #key: string;
  readonly #running: Promise<void>[] = [];
  #isMoving = true;

  constructor(key: string) {
    this.#key = key;
    for (let device = 0; device < DEVICES; device++) this.each(100, (turn) => this.#travel(device, turn));
  }

  /** Repeats something with a pause [ms]. */
  each(pauseMs: number, work: (turn: number) => Promise<void>): void {
    const run = async () => {
      for (let turn = 0; this.#isMoving; turn++) {
        await work(turn);
        await sleep(pauseMs);
      }
    };
    this.#running.push(run());
  }

  async end(): Promise<void> {
    this.#isMoving = false;
    await Promise.all(this.#running);
  }

  async #travel(device: number, turn: number): Promise<void> {
    const update = { deviceId: `d${device}`, userId: `u${device}`, ...(turn % 2 ? AWAY : HOME), accuracy: 5 };
    const { status, body } = await post("/v1/track", this.#key, { ...update, foreground: true });
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 200) this.told.push(...body.events.map(({ _id }: Json) => _id));
  }
}

/** Begins the move of a project, as `npm run project -- move` does. */
export async function beginMove(project: number, source: string, target: string): Promise<void> {
  await sql(
    "INSERT INTO project_move (project, source, target, step, begun_at, changed_at) VALUES (?, ?, ?, 'begin', 0, 0)",
    ...[project, source, target],
  );
}

export const stepOf = async (project: number): Promise<string> =>
  (await sql<{ step: string }>("SELECT step FROM project_move WHERE project = ?", project))[0].step;
