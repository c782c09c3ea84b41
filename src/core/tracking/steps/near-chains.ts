import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { anchorOf, isBeyond, moved } from "../moved.ts";
import { nearChainRule } from "../trace/journey-rules.ts";
import type { ChainPresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/** Without place data, a chain is out of reach at this distance from the fix that came near it [m]. */
const OUT_OF_REACH = 10_000;

/** Generates one event when a place of a watched chain comes near, and another only after it was out of reach. */
export function nearChains(context: UpdateContext): void {
  const { state, update, surroundings, settings } = context;
  const near = surroundings.nearbyChains;
  const held = state.nearbyChains;
  if (!settings.places || update.accuracy > settings.accuracyLimit) return;
  let next: Record<string, ChainPresence> | undefined;
  for (const slug of Object.keys(held)) {
    const { anchor } = held[slug];
    const gone = near
      ? !near.some(({ chain }) => chain?.slug === slug) && moved(anchor, update)
      : isBeyond(OUT_OF_REACH, anchor, update);
    if (!gone) continue;
    next ??= { ...held };
    delete next[slug];
  }
  for (const place of near ?? []) {
    const { chain } = place;
    if (chain === undefined) continue;
    const { slug } = chain;
    if (Object.hasOwn(next ?? held, slug)) continue;
    next ??= { ...held };
    next[slug] = { placeId: place._id, chain, since: context.at, anchor: anchorOf(update) };
    context.trace?.(nearChainRule(place, update));
    emit(context, "user.nearby_place_chain", { place, confidence: confidenceOfAccuracy(update.accuracy) });
  }
  if (next) state.nearbyChains = next;
}
