import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { anchorOf } from "../moved.ts";
import type { EventType } from "../types/event.ts";
import type { RegionChange, RegionPresence } from "../types/state.ts";
import type { RegionKind } from "../types/surroundings.ts";
import type { UpdateContext } from "../update-context.ts";

const ENTERED: Record<RegionKind, EventType> = {
  country: "user.entered_region_country",
  state: "user.entered_region_state",
  dma: "user.entered_region_dma",
  postalCode: "user.entered_region_postal_code",
};
const EXITED: Record<RegionKind, EventType> = {
  country: "user.exited_region_country",
  state: "user.exited_region_state",
  dma: "user.exited_region_dma",
  postalCode: "user.exited_region_postal_code",
};

/** Leaves the regions that no longer contain the point. */
export function exitRegions(context: UpdateContext): void {
  if (context.regions.length === 0) return;
  const regions: Partial<Record<RegionKind, RegionPresence>> = { ...context.state.regions };
  for (const { kind, from, silent } of context.regions) {
    if (!from) continue;
    delete regions[kind];
    if (silent) continue;
    emit(context, EXITED[kind], {
      region: from.region,
      enteredAt: from.enteredAt,
      confidence: confidenceOfAccuracy(context.update.accuracy),
    });
  }
  context.state.regions = regions;
}

/** Enters the regions that newly contain the point, and remembers where each border was crossed. */
export function enterRegions(context: UpdateContext): void {
  if (context.regions.length === 0) return;
  const { state, update, at } = context;
  const regions: Partial<Record<RegionKind, RegionPresence>> = { ...state.regions };
  const regionChanges: Partial<Record<RegionKind, RegionChange>> = { ...state.regionChanges };
  for (const { kind, from, to, silent, keep } of context.regions) {
    if (keep) {
      regions[kind] = keep;
      continue;
    }
    if (silent) {
      delete regionChanges[kind];
      continue;
    }
    regionChanges[kind] = { from: from?.region._id ?? null, anchor: anchorOf(update) };
    if (!to) continue;
    regions[kind] = { region: to, enteredAt: at };
    emit(context, ENTERED[kind], { region: to, confidence: confidenceOfAccuracy(update.accuracy) });
  }
  state.regions = regions;
  state.regionChanges = regionChanges;
}
