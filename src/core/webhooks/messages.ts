import type { Delivery, Message, Notice } from "./types.ts";

/** Maximum events in one message, for webhooks that accept several. */
const MAX_EVENTS = 5;

/**
 * Packs events into messages: `{event, user}` one by one, or `{events, user}` with up to five events of one user, in
 * order. `users` contains each user as returned by the API (JSON). A message about an unknown user has no `user`.
 */
export function toMessages(
  notices: readonly Notice[],
  users: Readonly<Record<string, string>>,
  delivery: Delivery,
  now: number,
): Message[] {
  if (delivery === "single") return notices.map((notice) => message([notice], users, delivery, now));
  const groups: Notice[][] = [];
  const open = new Map<string | undefined, Notice[]>();
  for (const notice of notices) {
    let group = open.get(notice.user);
    if (!group || group.length === MAX_EVENTS) {
      group = [];
      groups.push(group);
      open.set(notice.user, group);
    }
    group.push(notice);
  }
  return groups.map((group) => message(group, users, delivery, now));
}

function message(
  notices: readonly Notice[],
  users: Readonly<Record<string, string>>,
  delivery: Delivery,
  now: number,
): Message {
  const [{ id, user }] = notices;
  const events = notices.map(({ json }) => json).join();
  const about = user === undefined ? undefined : users[user];
  return {
    id,
    user,
    events: notices.map(({ id, type }) => ({ id, type })),
    body: `{${delivery === "single" ? `"event":${events}` : `"events":[${events}]`}${about ? `,"user":${about}` : ""}}`,
    createdAt: now,
  };
}
