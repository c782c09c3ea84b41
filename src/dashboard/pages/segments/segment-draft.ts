import type { getSegment } from "../../../worker/http/segments/segments.ts";
import type { Answer } from "../../api/client.ts";
import { listOf } from "../../forms/draft.ts";
import { type MetadataRow, metadataOf, metadataRows } from "../../map/fences/fence-draft.ts";
import { plural } from "../../parts/values/numbers.ts";

type WritableFaults = Record<string, string>;

export type Segment = Answer<typeof getSegment>["segment"];
type Rule = Segment["rule"];
type Condition = Rule["conditions"][number];

/** What a condition is about, with the name of its value. */
export const TYPES = [
  ["geofenceTag", "Visits to geofences with a tag"],
  ["geofence", "Visits to one geofence"],
  ["chain", "Visits to a chain"],
  ["category", "Visits to a category of places"],
  ["lastSeen", "Last update"],
  ["created", "First update"],
  ["metadata", "Metadata"],
  ["deviceType", "Device type"],
  ["userTag", "User tag"],
  ["segment", "Segment set by you"],
  ["country", "Country"],
  ["state", "State"],
] as const;
export type ConditionType = (typeof TYPES)[number][0];

export const VALUE_LABELS: Partial<Record<ConditionType, string>> = {
  geofenceTag: "Tag",
  geofence: "Geofence",
  chain: "Slug of the chain",
  category: "Category",
};
export const isVisit = (type: ConditionType) => VALUE_LABELS[type] !== undefined;
export const isAge = (type: ConditionType) => type === "lastSeen" || type === "created";

/** The fields as they are typed. */
export const NEW_CONDITION = {
  ...{ type: "geofenceTag" as ConditionType, not: false, value: "", visits: "1", days: "30", weeks: "4" },
  /** Each week, instead of a number of visits. */
  weekly: false,
  values: "",
  metadata: [{ key: "", value: "", kind: "text" }] as MetadataRow[],
};
export type ConditionDraft = typeof NEW_CONDITION;

export interface Draft {
  externalId: string;
  description: string;
  match: Rule["match"];
  conditions: ConditionDraft[];
}

export const EMPTY: Draft = { externalId: "", description: "", match: "all", conditions: [NEW_CONDITION] };

export function draftOf({ externalId, description, rule }: Segment): Draft {
  return { externalId, description, match: rule.match, conditions: rule.conditions.map(conditionDraft) };
}

function conditionDraft({ type, not, value, visits, days, weeks, values, metadata }: Condition): ConditionDraft {
  return {
    type: type as ConditionType,
    not: not === true,
    value: value ?? "",
    visits: String(visits ?? NEW_CONDITION.visits),
    days: String(days ?? NEW_CONDITION.days),
    weeks: String(weeks ?? NEW_CONDITION.weeks),
    weekly: weeks !== undefined,
    values: (values ?? []).join(", "),
    metadata: metadata ? metadataRows(metadata) : NEW_CONDITION.metadata,
  };
}

/** The body of a request, or the errors of the rows of metadata. */
export function ruleOf({ match, conditions }: Pick<Draft, "match" | "conditions">, faults: WritableFaults) {
  return { match, conditions: conditions.map((one, i) => conditionOf(one, i, faults)) };
}

function conditionOf(draft: ConditionDraft, i: number, faults: WritableFaults): Record<string, unknown> {
  const { type, not, value, visits, days, weeks, weekly, values } = draft;
  const common = { type, ...(not && { not }) };
  if (isVisit(type)) return { ...common, value, ...(weekly ? { weeks } : { visits, days }) };
  if (isAge(type)) return { ...common, days };
  if (type === "metadata") {
    const own: WritableFaults = {};
    const metadata = metadataOf(draft.metadata, own);
    if (own.metadata) faults[`rule.conditions[${i}].metadata`] = own.metadata;
    return { ...common, metadata: metadata ?? {} };
  }
  return { ...common, values: listOf(values) };
}

/** A rule in a few words, for the list. */
export function ruleWords({ match, conditions }: Rule): string {
  return conditions.map(conditionWords).join(match === "all" ? " and " : " or ");
}

function conditionWords({ type, not, value, visits = 1, days, weeks, values, metadata }: Condition): string {
  const no = not ? "not " : "";
  if (value !== undefined) {
    const often = weeks === undefined ? `${visits}× in ${daysWords(days)}` : `each of ${plural(weeks, "week")}`;
    return `${no}${type === "geofenceTag" ? "tag" : type} ${value} ${often}`;
  }
  if (type === "lastSeen") return `${no}seen within ${daysWords(days)}`;
  if (type === "created") return `${no}new within ${daysWords(days)}`;
  if (metadata) {
    const pairs = Object.entries(metadata).map(([key, one]) => `${key} = ${one}`);
    return `${no}${pairs.join(", ")}`;
  }
  const words = TYPES.find(([one]) => one === type)?.[1].toLowerCase() ?? type;
  return `${no}${words} ${(values ?? []).join(", ")}`;
}

const daysWords = (days = Number(NEW_CONDITION.days)) => plural(days, "day");
