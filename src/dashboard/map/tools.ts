import { AREA_TOOLS } from "./tools/area-tools.ts";
import { FLEET_TOOL } from "./tools/fleet-tool.ts";
import { ROUTE_TOOLS } from "./tools/route-tools.ts";
import { SEARCH_TOOLS } from "./tools/search-tools.ts";
import type { Tool } from "./tools/tool.ts";

/** In the order in which they are shown. */
export const TOOLS: readonly Tool[] = [...SEARCH_TOOLS, ...ROUTE_TOOLS, FLEET_TOOL, ...AREA_TOOLS];
