import { distance } from "../../geo/distance.ts";
import { circleShare } from "../../geo/shapes/overlap.ts";
import { countVisit } from "../chain-visits.ts";
import { confidenceOfShare } from "../confidence.ts";
import { emit } from "../emit.ts";
import { placeReach } from "../match-place.ts";
import { anchorOf } from "../moved.ts";
import type { Place } from "../types/surroundings.ts";
import type { LocationUpdate } from "../types/update.ts";
import type { UpdateContext } from "../update-context.ts";

/** Begins the visit to a place. */
export function enterPlace(context: UpdateContext): void {
  const place = context.place?.entry;
  if (!place) return;
  const { state, update, at } = context;
  state.place = { place, enteredAt: at, anchor: anchorOf(update) };
  if (place.chain) state.chainVisits = countVisit(state.chainVisits, place.chain, at);
  const { alternatePlaces } = context.surroundings;
  const confidence = confidenceOfShare(shareWithin(place, update));
  emit(context, "user.entered_place", { place, confidence, ...(alternatePlaces?.length && { alternatePlaces }) });
}

/** Ends the visit to a place; one that was just entered stays. */
export function exitPlace(context: UpdateContext): void {
  const { state, update } = context;
  if (context.place?.keep) state.place = context.place.keep;
  const exit = context.place?.exit;
  if (!exit) return;
  if (state.place === exit) state.place = undefined;
  if (context.place?.silent) return;
  emit(context, "user.exited_place", {
    place: exit.place,
    enteredAt: exit.enteredAt,
    confidence: confidenceOfShare(1 - shareWithin(exit.place, update)),
  });
}

function shareWithin(place: Place, { location, accuracy }: LocationUpdate): number {
  return circleShare(accuracy, placeReach(place), distance(location, place.location));
}
