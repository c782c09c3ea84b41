import { confidenceOfAccuracy } from "../confidence.ts";
import { anchorOf, moved } from "../moved.ts";
import { emit, type Turn } from "../turn.ts";
import type { ChainPresence } from "../types/state.ts";

/** Tells once that a place of a watched chain has come near, and again only after it was out of reach. */
export function nearChains(turn: Turn): void {
  const { state, update, surroundings, settings } = turn;
  const near = surroundings.nearbyChains;
  const held = state.nearbyChains;
  if (!settings.places || near === undefined || update.accuracy > settings.accuracyLimit) return;
  let next: Record<string, ChainPresence> | undefined;
  for (const slug of Object.keys(held)) {
    if (near.some(({ chain }) => chain?.slug === slug) || !moved(held[slug].anchor, update)) continue;
    next ??= { ...held };
    delete next[slug];
  }
  for (const place of near) {
    const slug = place.chain?.slug;
    if (slug === undefined || Object.hasOwn(next ?? held, slug)) continue;
    next ??= { ...held };
    next[slug] = { placeId: place._id, since: turn.at, anchor: anchorOf(update) };
    emit(turn, "user.nearby_place_chain", { place, confidence: confidenceOfAccuracy(update.accuracy) });
  }
  if (next) state.nearbyChains = next;
}
