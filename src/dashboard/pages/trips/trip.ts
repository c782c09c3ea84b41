import type { listAllTrips } from "../../../http/trips/trips.ts";
import type { Answer } from "../../api/client.ts";

/** A trip as the API lists it. */
export type Trip = Answer<typeof listAllTrips>["trips"][number];
