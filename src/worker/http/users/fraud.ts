import { z } from "zod";
import { findUserRecords } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { ApiError, notFound } from "../../platform/errors.ts";
import { flag } from "../../wire/input/fields.ts";
import { userShape, wireUser } from "../../wire/user.ts";
import { endpoint } from "../serve/endpoint.ts";
import { writeRow } from "../serve/rows.ts";

export const setFraudFlags = endpoint({
  name: "setUserFraud",
  method: "PATCH",
  path: "/v1/users/:id/fraud",
  level: "secret",
  chapter: "Users",
  summary: "Exempts a user from the fraud checks, or blocks it; all records, by _id, userId or deviceId.",
  description:
    "bypassed: `fraud.passed` is true and there is no user.failed_fraud. blocked: the user's updates return its last state: its location does not change, no event is generated, and `fraud.passed` is false. Both apply only while the project's fraud checks are enabled.",
  body: z.object({ bypassed: flag().optional(), blocked: flag().optional() }),
  response: z.object({ user: userShape }),
  errors: [404],
  async handle(call) {
    const { params, body, caller, env } = call;
    const { bypassed, blocked } = body;
    if (bypassed === undefined && blocked === undefined) throw new ApiError(400, "Set bypassed or blocked.");
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
