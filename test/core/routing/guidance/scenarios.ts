import type { Drawing } from "./drawing.ts";

/** Maps, and what is told on the ways across them: `from to | roads | maneuvers`. */
export interface Scenario extends Drawing {
  title: string;
  routes: string;
}
