import { z } from "zod";
import { databaseNames, envIn } from "../../db/databases.ts";
import { recoverPage } from "../../objects/recovery/recoverable-objects.ts";
import { invalid } from "../../platform/errors.ts";
import { datetime, oneOf, optionalText } from "../../wire/input/fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const DAY_MS = 24 * 3600_000;
/** How long the platform keeps the history of an object [days]. */
const MAX_AGE_DAYS = 30;
/** Objects of a page: each is a request of the Worker's, of which it has a thousand. */
const PAGE = 100;

export const recovery = endpoint({
  name: "recovery",
  method: "POST",
  path: "/v1/recovery",
  level: "open",
  secret: "RECOVERY_TOKEN",
  rate: "address",
  chapter: "Operation",
  summary: "Reports or restores the state of Durable Objects at an earlier time, a page at a time.",
  description:
    "Requires the deployment's secret `RECOVERY_TOKEN` as `Authorization: Bearer …`; API keys are not accepted, and without this secret the path is " +
    "unknown (404). `npm run recover` calls it, after it has restored the databases. On Cloudflare only: a server of your own has backups.",
  media: ["application/json"],
  body: z.object({
    at: datetime().meta({ description: `a time of the last ${MAX_AGE_DAYS} days` }),
    action: oneOf(["report", "restore"])
      .default("report")
      .meta({ description: "`restore` restarts each object with its state at that time" }),
    database: optionalText(16).meta({
      description: "binding of the database whose projects are restored. Default: DB",
    }),
    after: optionalText(500).meta({ description: "`next` of the previous page" }),
  }),
  response: z.object({
    recovery: z.object({
      supported: z.boolean().meta({ description: "false where the platform has no point-in-time recovery" }),
      databases: z.array(z.string()).meta({ description: "bindings of all databases" }),
      objects: z.array(
        z.object({
          object: z.string().meta({ description: "class, scope and name" }),
          bookmark: z.string().optional(),
          undo: z.string().optional().meta({ description: "bookmark of the state before the restore" }),
          error: z.string().optional(),
        }),
      ),
      next: z.string().optional().meta({ description: "absent on the last page" }),
    }),
  }),
  errors: [401, 404],
  async handle({ env, now, body }) {
    const { at, action, database = "DB", after } = body;
    if (at > now || at < now - MAX_AGE_DAYS * DAY_MS)
      throw invalid("at", `Must be in the past, at most ${MAX_AGE_DAYS} days ago.`);
    const databases = databaseNames(env);
    if (!databases.includes(database)) throw invalid("database", `Must be one of ${databases.join(", ")}.`);
    const restores = action === "restore";
    const page = await recoverPage(envIn(env, database), { at, restores, after, limit: PAGE }).catch((error) => {
      if (after !== undefined && error instanceof SyntaxError) throw invalid("after", "Must be `next` of a page.");
      throw error;
    });
    const objects = page.objects.map(({ object, point, error }) => ({ object, ...point, error }));
    const recovery = { supported: !page.isUnsupported, databases, objects, next: page.next };
    return Response.json({ meta: { code: 200 }, recovery });
  },
});
