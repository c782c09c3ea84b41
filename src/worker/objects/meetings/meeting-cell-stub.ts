import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { MeetingCell } from "./meeting-cell.ts";

/** The object of a coarse cell of a scope. */
export function meetingCellOf(env: Env, scope: number, cell: string): Remote<MeetingCell, "place" | "remove"> {
  return remoteObject(env.MEETING_CELL, `${scope}:${cell}`);
}
