import type { getMeeting } from "../../../worker/http/meetings/meetings.ts";
import type { Answer } from "../../api/client.ts";
import { listOf } from "../../forms/draft.ts";
import { type MetadataRow, metadataOf, metadataRows } from "../../map/fences/fence-draft.ts";

export type Meeting = Answer<typeof getMeeting>["meeting"];
type Group = Meeting["users"];

/** The fields of a group as they are typed. */
interface GroupDraft {
  userTags: string;
  segments: string;
  userIds: string;
  metadata: MetadataRow[];
}
const ALL: GroupDraft = { userTags: "", segments: "", userIds: "", metadata: [] };

export const EMPTY = {
  ...{ name: "", enabled: true, radius: "100", minimumSeconds: "0", freshMinutes: "10", testUserIds: "" },
  ...{ users: ALL, others: ALL },
};
export type Draft = typeof EMPTY;

const groupDraft = ({ userTags = [], segments = [], userIds = [], metadata }: Group): GroupDraft => ({
  ...{ userTags: userTags.join(", "), segments: segments.join(", "), userIds: userIds.join(", ") },
  metadata: metadata ? metadataRows(metadata) : [],
});

export function draftOf({ name, enabled, users, others, testUserIds = [], ...numbers }: Meeting): Draft {
  const { radius, minimumSeconds, freshMinutes } = numbers;
  return {
    ...{ name, enabled, users: groupDraft(users), others: groupDraft(others), testUserIds: testUserIds.join(", ") },
    ...{ radius: String(radius), minimumSeconds: String(minimumSeconds), freshMinutes: String(freshMinutes) },
  };
}

/** The body of a request; faults of typed metadata are noted. */
export function bodyOf({ users, others, testUserIds, ...rest }: Draft, faults: Record<string, string>) {
  const group = (name: "users" | "others", { metadata, ...lists }: GroupDraft) => {
    const own: Record<string, string> = {};
    const pairs = metadataOf(metadata, own);
    if (own.metadata) faults[`${name}.metadata`] = own.metadata;
    const given = Object.entries(lists).flatMap(([key, text]) =>
      listOf(text).length > 0 ? [[key, listOf(text)]] : [],
    );
    return { ...Object.fromEntries(given), ...(pairs && Object.keys(pairs).length > 0 && { metadata: pairs }) };
  };
  return { ...rest, users: group("users", users), others: group("others", others), testUserIds: listOf(testUserIds) };
}

/** A group in a few words. */
export function groupWords({ userTags = [], segments = [], userIds = [], metadata = {} }: Group): string {
  const words = [
    ...(userTags.length > 0 ? [`tag ${userTags.join(" or ")}`] : []),
    ...(segments.length > 0 ? [`segment ${segments.join(" or ")}`] : []),
    ...Object.entries(metadata).map(([key, value]) => `${key} = ${value}`),
    ...(userIds.length > 0 ? [userIds.length === 1 ? userIds[0] : `${userIds.length} users`] : []),
  ];
  return words.join(", ") || "all users";
}
