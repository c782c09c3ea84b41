import { z } from "zod";
import type { Meeting, MeetingGroup } from "../../core/engagement/meeting.ts";
import { dateShape, wireDate } from "./date.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";

const groupShape = z.object({
  userTags: z.array(z.string()).optional(),
  metadata: metadataShape().optional(),
  segments: z.array(z.string()).optional(),
  userIds: z.array(z.string()).optional(),
});

export const meetingShape = z.object({
  _id: z.string(),
  live: z.boolean(),
  createdAt: dateShape(),
  updatedAt: dateShape(),
  name: z.string(),
  enabled: z.boolean(),
  users: groupShape.meta({ description: "Without conditions: all users" }),
  others: groupShape,
  radius: z.number().meta({ description: "meters" }),
  minimumSeconds: z.number(),
  freshMinutes: z.number(),
  testUserIds: z.array(z.string()).optional().meta({ description: "Only these users take part" }),
});

const wireGroup = ({ userTags, metadata, segments, userIds }: MeetingGroup): z.input<typeof groupShape> => ({
  userTags: userTags && [...userTags],
  metadata: wireMetadata(metadata),
  segments: segments && [...segments],
  userIds: userIds && [...userIds],
});

export function wireMeeting(meeting: Meeting, live: boolean): z.input<typeof meetingShape> {
  const { _id, createdAt, updatedAt, name, enabled, radius, minimumSeconds, freshMinutes, testUserIds } = meeting;
  return {
    ...{ _id, live, createdAt: wireDate(createdAt), updatedAt: wireDate(updatedAt), name, enabled },
    ...{ users: wireGroup(meeting.users), others: wireGroup(meeting.others), radius, minimumSeconds, freshMinutes },
    ...(testUserIds && { testUserIds: [...testUserIds] }),
  };
}
