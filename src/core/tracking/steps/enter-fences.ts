import { confidenceInside } from "../confidence.ts";
import { emit } from "../emit.ts";
import { anchorOf } from "../moved.ts";
import { confidenceRule } from "../trace/fence-rules.ts";
import type { Fence, FenceLabel } from "../types/fence.ts";
import type { FencePresence } from "../types/state.ts";
import type { UpdateContext } from "../update-context.ts";

/**
 * Begins a visit to every fence that the device is newly inside, even if the fence was created or moved around the
 * device.
 */
export function enterFences(context: UpdateContext): void {
  const { entries } = context.fences;
  if (entries.length === 0) return;
  const { state, update, at } = context;
  const geofences: Record<string, FencePresence> = { ...state.geofences };
  for (const { fence, distance, returned } of entries) {
    const label = labelOf(fence);
    const presence: FencePresence = { fence: label, revision: fence.revision, enteredAt: at, dwelled: false };
    if (returned) presence.returned = anchorOf(update);
    geofences[fence.id] = presence;
    const confidence = confidenceInside(fence.shape, update.location, update.accuracy, distance);
    context.trace?.(confidenceRule(fence.id, "inside", update, distance, confidence));
    emit(context, "user.entered_geofence", { geofence: label, confidence });
  }
  state.geofences = geofences;
}

export function labelOf(fence: Fence): FenceLabel {
  const { id, shape, tag, externalId, description, metadata, operatingHours, dwellThreshold, stopDetection } = fence;
  const label: FenceLabel = { _id: id, type: shape.type, center: shape.center };
  if (shape.type === "circle") label.radius = shape.radius;
  else if (shape.kind) {
    label.type = shape.kind;
    if (shape.minutes !== undefined) label.radius = shape.minutes;
  } else label.radius = shape.reach;
  if (tag !== undefined) label.tag = tag;
  if (externalId !== undefined) label.externalId = externalId;
  if (description !== undefined) label.description = description;
  if (metadata !== undefined) label.metadata = metadata;
  if (operatingHours !== undefined) label.operatingHours = operatingHours;
  if (dwellThreshold !== undefined) label.dwellThreshold = dwellThreshold;
  if (fence.speedLimit !== undefined) label.speedLimit = fence.speedLimit;
  if (stopDetection !== undefined) label.stopDetection = stopDetection;
  return label;
}
