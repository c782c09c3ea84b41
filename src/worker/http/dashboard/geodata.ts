import { z } from "zod";
import { NotPossible } from "../../../core/geo/builds/live-list.ts";
import { buildHealth } from "../../geodata/health.ts";
import { activateBuild, deleteBuilds, liveBuilds, rollBackBuild, takeOffBuild } from "../../geodata/manage.ts";
import { ApiError } from "../../platform/errors.ts";
import { text } from "../../wire/input/fields.ts";
import { wireLiveBuilds } from "../geodata/geodata.ts";
import { buildShape } from "../geodata/shapes.ts";
import { endpoint } from "../serve/endpoint.ts";
import { CHAPTER } from "./shapes.ts";

/** Maximum age of a list of live builds on any machine [ms]. */
const LIST_MAX_AGE_MS = 10_000;

const shared = { level: "member", chapter: CHAPTER } as const;
const changes = { ...shared, role: "read", operator: true, audited: true, errors: [404, 409] } as const;
const EFFECT = "It takes effect within ten seconds for all projects of the deployment.";
const FOR_ALL = "For operators of the deployment: geodata serves all projects (npm run project -- operator add EMAIL).";

export const getGeodata = endpoint({
  ...shared,
  name: "listGeodata",
  method: "GET",
  path: "/dashboard/api/geodata",
  summary: "Lists the live geodata builds by name, with the builds that each can be rolled back to.",
  response: z.object({ builds: z.array(buildShape) }),
  async handle({ env }) {
    return { builds: await wireLiveBuilds(env.GEODATA) };
  },
});

const MAX_NAMED = 20;

export const checkGeodata = endpoint({
  ...shared,
  errors: [404],
  name: "checkGeodata",
  method: "GET",
  path: "/dashboard/api/geodata/:name/health",
  summary:
    "Checks a live build against its object list: all objects exist with the right size, and the content of a sample matches.",
  response: z.object({
    state: z.enum(["whole", "damaged", "unreadable"]).meta({
      description: "unreadable: its manifest or object list is missing, damaged, or too long for one request",
    }),
    id: z.string(),
    objects: z.number().optional().meta({ description: "in its list" }),
    compared: z.number().optional().meta({ description: "of these, compared by name and size" }),
    read: z.number().optional().meta({ description: "of these, read and compared by SHA-256" }),
    missing: z.number().optional(),
    damaged: z.number().optional(),
    examples: z.array(z.string()).meta({ description: `up to ${MAX_NAMED} of the missing and damaged` }),
  }),
  async handle({ params, env }) {
    const build = (await liveBuilds(env.GEODATA)).find(({ name }) => name === params.name);
    if (!build) throw new ApiError(404, `Not found. No build named ${params.name} is live.`);
    const { id } = build;
    const health = await buildHealth(env.GEODATA, id);
    if (health === "unreadable") return { id, state: "unreadable" as const, examples: [] };
    const { missing, damaged, objects, compared, read } = health;
    const wrong = [...missing, ...damaged];
    return {
      id,
      state: wrong.length > 0 ? ("damaged" as const) : ("whole" as const),
      objects,
      compared,
      read,
      missing: missing.length,
      damaged: damaged.length,
      examples: wrong.slice(0, MAX_NAMED),
    };
  },
});

export const activateGeodata = endpoint({
  ...changes,
  name: "activateGeodata",
  method: "POST",
  path: "/dashboard/api/geodata/:name/activate",
  summary: "Publishes a build of this name.",
  description: `${EFFECT} ${FOR_ALL}`,
  body: z.object({ id: text(64).meta({ description: "of the build" }) }),
  response: z.object({ name: z.string(), id: z.string() }),
  async handle(call) {
    const { params, body, env } = call;
    await possible(() => activateBuild(env.GEODATA, params.name, body.id));
    call.audit({ target: params.name, summary: `build ${body.id} is live` });
    return { name: params.name, id: body.id };
  },
});

export const rollBackGeodata = endpoint({
  ...changes,
  name: "rollBackGeodata",
  method: "POST",
  path: "/dashboard/api/geodata/:name/roll-back",
  summary: "Rolls back to the previous build of this name.",
  description: `${EFFECT} ${FOR_ALL}`,
  response: z.object({ name: z.string(), id: z.string() }),
  async handle(call) {
    const { params, env } = call;
    const id = await possible(() => rollBackBuild(env.GEODATA, params.name));
    call.audit({ target: params.name, summary: `build ${id} is live again` });
    return { name: params.name, id };
  },
});

export const removeGeodata = endpoint({
  ...changes,
  name: "removeGeodata",
  method: "DELETE",
  path: "/dashboard/api/geodata/:name",
  summary: "Unpublishes a name and deletes its builds.",
  description: `${EFFECT} The builds are deleted after the response. The world base data stays. ${FOR_ALL}`,
  response: z.object({ removed: z.array(z.string()).meta({ description: "ids of the builds" }) }),
  async handle(call) {
    const { params, env } = call;
    const removed = await possible(() => takeOffBuild(env.GEODATA, params.name));
    call.audit({ target: params.name, summary: `removed with ${removed.length} builds` });
    // Requests that just read the list still use them.
    call.waitUntil(scheduler.wait(LIST_MAX_AGE_MS).then(() => deleteBuilds(env.GEODATA, removed)));
    return { removed };
  },
});

/** @throws ApiError 409 for a change that the list does not allow */
async function possible<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    throw new ApiError(/^There is no|^No build/.test(error.message) ? 404 : 409, error.message);
  }
}
