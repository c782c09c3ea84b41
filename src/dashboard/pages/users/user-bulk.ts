import { nameOfRecord } from "../../parts/values/names.ts";
import type { Bulk } from "../../table/bulk.tsx";
import type { NamedUser } from "../events/event-words.ts";

/** Actions on several users, wherever they are listed. */
export const USER_BULK: Bulk<NamedUser & { _id: string }> = {
  noun: "user",
  nameOf: nameOfRecord,
  remove: (api, { _id }) => api.delete(`/v1/users/${_id}`),
  removes: "Deletes the users with their updates, events and trips. This cannot be undone.",
  forgets: ["/v1/users", "/v1/events", "/v1/trips"],
};
