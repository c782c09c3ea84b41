import { distance } from "../../geo/distance.ts";
import { circleShare } from "../../geo/overlap.ts";
import { countVisit } from "../chain-visits.ts";
import { confidenceOfShare } from "../confidence.ts";
import { placeReach } from "../match-place.ts";
import { anchorOf } from "../moved.ts";
import { emit, type Turn } from "../turn.ts";
import type { Place } from "../types/surroundings.ts";
import type { LocationUpdate } from "../types/update.ts";

/** Begins the visit of a place. */
export function enterPlace(turn: Turn): void {
  const place = turn.place?.entry;
  if (!place) return;
  const { state, update, at } = turn;
  state.place = { place, enteredAt: at, anchor: anchorOf(update) };
  if (place.chain) state.chainVisits = countVisit(state.chainVisits, place.chain, at);
  const { alternatePlaces } = turn.surroundings;
  const confidence = confidenceOfShare(shareWithin(place, update));
  emit(turn, "user.entered_place", { place, confidence, ...(alternatePlaces?.length && { alternatePlaces }) });
}

/** Ends the visit of a place; the one just entered stays. */
export function exitPlace(turn: Turn): void {
  const exit = turn.place?.exit;
  if (!exit) return;
  const { state, update } = turn;
  if (state.place === exit) state.place = undefined;
  if (turn.place?.silent) return;
  emit(turn, "user.exited_place", {
    place: exit.place,
    enteredAt: exit.enteredAt,
    confidence: confidenceOfShare(1 - shareWithin(exit.place, update)),
  });
}

function shareWithin(place: Place, { location, accuracy }: LocationUpdate): number {
  return circleShare(accuracy, placeReach(place), distance(location, place.location));
}
