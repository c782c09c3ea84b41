import type { Command } from "./base/command.ts";
import { call } from "./commands/call.ts";
import { config } from "./commands/config.ts";
import { fences, importing, jobs } from "./commands/files.ts";
import { geocode, isochrone, route } from "./commands/find.ts";
import { events, track, trips, users } from "./commands/people.ts";

export const COMMANDS: readonly Command[] = [
  geocode,
  route,
  isochrone,
  track,
  users,
  events,
  trips,
  fences,
  importing,
  jobs,
  call,
  config,
];
