import { z } from "zod";
import { findUserRecords } from "../../db/customers/users.ts";
import { settleWrites } from "../../objects/stubs/database-writers.ts";
import { deviceTrackerOf } from "../../objects/stubs/device-tracker.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { endpoint } from "../serve/endpoint.ts";
import { ApiError, notFound } from "../serve/errors.ts";
import { flag } from "../serve/fields.ts";
import { writeRow } from "../serve/rows.ts";

export const setFraudFlags = endpoint({
  name: "setUserFraud",
  method: "PATCH",
  path: "/v1/users/:id/fraud",
  level: "secret",
  chapter: "Users",
  summary:
    "Lets a user pass whatever the fraud checks find, or blocks it; by _id, userId or deviceId, all its records.",
  description:
    "bypassed: `fraud.passed` is true and there is no user.failed_fraud. blocked: the user's updates are answered with what was last known of it; nothing moves, no event is made, `fraud.passed` is false. Both count while the project's fraud checks are on.",
  body: z.object({ bypassed: flag().optional(), blocked: flag().optional() }),
  response: z.object({ user: userShape }),
  errors: [404],
  async handle(call) {
    const { params, body, caller, env } = call;
    const { bypassed, blocked } = body;
    if (bypassed === undefined && blocked === undefined)
      throw new ApiError(400, "One of bypassed and blocked is needed.");
    const flags = { ...(bypassed !== undefined && { bypassed }), ...(blocked !== undefined && { blocked }) };
    await settleWrites(env);
    const records = await findUserRecords(env.DB, caller.scope, params.id);
    const states = await Promise.all(
      records.map(({ id, deviceId }) =>
        deviceTrackerOf(env, caller.scope, deviceId).setFraudFlags(caller.scope, id, flags),
      ),
    );
    const known = states.filter((state) => state !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
    if (known.length === 0) throw notFound("User");
    return { user: writeRow(call, "users", known[0], wireUser) };
  },
});
