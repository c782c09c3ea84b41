import { z } from "zod";
import { DEVICE_TYPES } from "../../../core/engagement/campaign.ts";
import {
  type ComputedSegment,
  type Condition,
  MAX_AGE_DAYS,
  MAX_CONDITIONS,
  MAX_VISIT_DAYS,
  MAX_VISIT_WEEKS,
  VISITED,
} from "../../../core/engagement/segments/segment.ts";
import { invalid, required } from "../../platform/errors.ts";
import { dictionary, flag, number, oneOf, text } from "../../wire/input/fields.ts";
import { dotted } from "../../wire/input/validate.ts";

const TYPES = [
  ...VISITED,
  ...(["metadata", "lastSeen", "created", "deviceType", "userTag", "segment", "country", "state"] as const),
] as const;
const isVisited = (type: string) => (VISITED as readonly string[]).includes(type);

const VALUES_RULE = "Must be a list of 1 to 100 strings.";
const MAX_VISITS = 1000;

const condition = z.object({
  type: oneOf(TYPES),
  value: text()
    .optional()
    .meta({ description: "of visits: a tag, an _id of a geofence, a chain's slug or a category" }),
  visits: number({ min: 1, max: MAX_VISITS, integer: true })
    .optional()
    .meta({ description: "at least this many entries within `days`; default 1" }),
  days: number({ min: 1, max: MAX_AGE_DAYS, integer: true })
    .optional()
    .meta({
      description: `of visits: days (UTC) with today, up to ${MAX_VISIT_DAYS}, default 30; of lastSeen and created: within so many days`,
    }),
  weeks: number({ min: 1, max: MAX_VISIT_WEEKS, integer: true })
    .optional()
    .meta({ description: "of visits: at least one in each of the last weeks, Monday to Sunday (UTC)" }),
  metadata: dictionary(16).optional().meta({ description: "the user's metadata has all of these values" }),
  values: z
    .array(text(), { error: VALUES_RULE })
    .min(1, { error: VALUES_RULE })
    .max(100, { error: VALUES_RULE })
    .optional()
    .meta({ description: "of deviceType, userTag, segment (set by you), country and state (codes): one of them" }),
  not: flag().optional().meta({ description: "the opposite" }),
});

const CONDITIONS_RULE = `Must be a list of 1 to ${MAX_CONDITIONS} conditions.`;
const ruleField = z.object({
  match: oneOf(["all", "any"]).default("all"),
  conditions: z
    .array(condition, { error: CONDITIONS_RULE })
    .min(1, { error: CONDITIONS_RULE })
    .max(MAX_CONDITIONS, { error: CONDITIONS_RULE }),
});

const fields = {
  externalId: text(128).meta({ description: "name in audiences, filters and geofences; unique" }),
  description: text(256),
  rule: ruleField.meta({ description: "users that meet all of its conditions, or with match=any one of them" }),
};

export const segmentBody = dotted(z.object(fields));
export const segmentPatch = dotted(
  z.object({
    externalId: fields.externalId.optional(),
    description: fields.description.optional(),
    rule: ruleField.optional().meta({ description: "replaces the rule" }),
  }),
);
export const previewBody = dotted(z.object({ rule: fields.rule }));

/** The checked rule. @throws ApiError 400 with the field, such as `rule.conditions[0].value` */
export function ruleOf({ match, conditions }: z.output<typeof ruleField>): ComputedSegment["rule"] {
  return { match, conditions: conditions.map((one, i) => conditionOf(one, `rule.conditions[${i}]`)) };
}

type Given = z.output<typeof condition>;

/** The fields that a type needs, and those that it may have. */
function fieldsOf(type: Given["type"]): [needed: readonly (keyof Given)[], also: readonly (keyof Given)[]] {
  if (isVisited(type)) return [["value"], ["visits", "days", "weeks"]];
  if (type === "metadata") return [["metadata"], []];
  if (type === "lastSeen" || type === "created") return [["days"], []];
  return [["values"], []];
}

function conditionOf(given: Given, param: string): Condition {
  const { type, not, value, visits, days, weeks } = given;
  const [needed, also] = fieldsOf(type);
  for (const name of needed) if (given[name] === undefined) throw required(`${param}.${name}`);
  for (const name of ["value", "visits", "days", "weeks", "metadata", "values"] as const)
    if (given[name] !== undefined && !needed.includes(name) && !also.includes(name))
      throw invalid(`${param}.${name}`, `Does not apply to ${type}.`);
  if (type === "deviceType" && given.values?.some((one) => !(DEVICE_TYPES as readonly string[]).includes(one)))
    throw invalid(`${param}.values`, `Valid values: ${DEVICE_TYPES.join(", ")}.`);
  if (type === "metadata" && Object.keys(given.metadata ?? {}).length === 0)
    throw invalid(`${param}.metadata`, "Must have at least one key.");
  const opposite = not ? { not } : {};
  if (!isVisited(type)) {
    const { metadata, values } = given;
    const own = { type, ...(metadata && { metadata }), ...(values && { values }), ...(days !== undefined && { days }) };
    return { ...own, ...opposite } as Condition;
  }
  if (weeks !== undefined && (visits !== undefined || days !== undefined))
    throw invalid(`${param}.weeks`, "Must not be combined with visits or days.");
  if (days !== undefined && days > MAX_VISIT_DAYS)
    throw invalid(`${param}.days`, `Valid range for visits: [1, ${MAX_VISIT_DAYS}].`);
  const period = weeks !== undefined ? { weeks } : { visits: visits ?? 1, days: days ?? 30 };
  return { type, value, ...period, ...opposite } as Condition;
}
