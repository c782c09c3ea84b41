import type { listAllTrips } from "../../../worker/http/trips/trips.ts";
import type { Answer } from "../../api/client.ts";
import { nameOfRecord } from "../../parts/values/names.ts";
import type { Bulk } from "../../table/bulk.tsx";

/** A trip as the API lists it. */
export type Trip = Answer<typeof listAllTrips>["trips"][number];

export const TRIP_BULK: Bulk<Trip> = {
  noun: "trip",
  nameOf: nameOfRecord,
  remove: (api, { _id }) => api.delete(`/v1/trips/${_id}`),
  removes: "Deletes the trips and their tracks permanently and revokes their share links. Their events are kept.",
  forgets: ["/v1/trips"],
};
