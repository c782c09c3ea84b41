import { AREA_TOOLS } from "./area-tools.ts";
import { FLEET_TOOL } from "./fleet-tool.ts";
import { ROUTE_TOOLS } from "./route-tools.ts";
import { SEARCH_TOOLS } from "./search-tools.ts";
import type { Tool } from "./tool.ts";

/** In the order in which they are shown. */
export const TOOLS: readonly Tool[] = [...SEARCH_TOOLS, ...ROUTE_TOOLS, FLEET_TOOL, ...AREA_TOOLS];
