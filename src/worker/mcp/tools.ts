import type { Tool } from "./base/tool.ts";
import { compareTravelTimes } from "./tools/compare-travel-times.ts";
import { describeLocation } from "./tools/describe-location.ts";
import { deviceHistory } from "./tools/device-history.ts";
import { explainEvent } from "./tools/explain-event.ts";
import { createFence, listFences } from "./tools/fences.ts";
import { findPlace } from "./tools/find-place.ts";
import { findUsers } from "./tools/find-users.ts";
import { planFleet } from "./tools/plan-fleet.ts";
import { reachableArea } from "./tools/reachable-area.ts";
import { renderMap } from "./tools/render-map.ts";
import { route } from "./tools/route.ts";
import { simulateTrip } from "./tools/simulate-trip.ts";
import { userJourneys } from "./tools/user-journeys.ts";

export const TOOLS: readonly Tool[] = [
  findPlace,
  describeLocation,
  route,
  compareTravelTimes,
  reachableArea,
  planFleet,
  findUsers,
  deviceHistory,
  userJourneys,
  explainEvent,
  listFences,
  createFence,
  simulateTrip,
  renderMap,
];
