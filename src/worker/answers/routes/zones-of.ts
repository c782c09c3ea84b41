import type { Avoid } from "../../../core/routing/graph/modes.ts";
import type { AvoidedZones } from "../../../core/routing/graph/vehicle.ts";
import type { Router } from "../../../core/routing/route/router.ts";
import { invalid } from "../../platform/errors.ts";

export interface AskedAvoidance {
  avoid?: readonly (Avoid | "lowEmissionZones")[] | undefined;
  avoidZones?: readonly string[] | undefined;
}

/** The roads that a request avoids, as the router knows them. @throws ApiError 400 if the build has no zone of a name */
export async function avoidanceOf(
  router: Router,
  { avoid = [], avoidZones }: AskedAvoidance,
): Promise<{ avoid: Avoid[]; zones: AvoidedZones | undefined }> {
  const roads = avoid.filter((one) => one !== "lowEmissionZones");
  if (roads.length < avoid.length) return { avoid: roads, zones: "all" };
  if (!avoidZones) return { avoid: roads, zones: undefined };
  const names = (await router.zones()).map((name) => name.toLowerCase());
  const zones = avoidZones.map((name) => {
    const index = names.indexOf(name.toLowerCase());
    if (index < 0) throw invalid("avoidZones", `No low-emission zone is called "${name}" here.`);
    return index + 1;
  });
  return { avoid: roads, zones };
}
