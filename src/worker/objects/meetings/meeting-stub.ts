import type { Fix } from "../../../core/engagement/meetings/judge-pair.ts";
import type { HandedPair } from "../../../core/engagement/meetings/member.ts";
import type { NumberedMessage, Placed, Placement } from "../../../core/engagement/meetings/messages.ts";
import type { EventType } from "../../../core/tracking/types/event.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Env } from "../../platform/env.ts";
import type { RecoveryPoint } from "../point-in-time.ts";
import { remoteObject } from "../remote.ts";

/** What trackers and cells of meetings call each other with. */

/** What the event of a message needs of the project. */
export interface EventOptions {
  eventTypes?: readonly EventType[];
  campaignEpoch: number;
}
export type SentMessage = NumberedMessage & { options: EventOptions };

interface CellCalls {
  place(scope: number, cell: string, placement: Placement, options: EventOptions): Promise<Placed>;
  adopt(scope: number, cell: string, from: string, pairs: readonly HandedPair[]): Promise<boolean>;
  remove(scope: number, cell: string, id: string): Promise<void>;
  recover(at: number, restores: boolean): Promise<RecoveryPoint>;
}

interface TrackerCalls {
  meet(scope: number, message: SentMessage): Promise<void>;
  meetingFix(id: string): Promise<Fix | undefined>;
  meetsIn(id: string, rule: string, person: string): Promise<string | undefined>;
  user(id: string): Promise<UserState | undefined>;
}

/** The object of a coarse cell of a scope. */
export const meetingCellOf = (env: Env, scope: number, cell: string): CellCalls =>
  remoteObject(env, "MEETING_CELL", `${scope}:${cell}`);

/** The tracker of a device, as far as meetings call it. */
export const metTrackerOf = (env: Env, scope: number, deviceId: string): TrackerCalls =>
  remoteObject(env, "DEVICE_TRACKER", `${scope}:${deviceId}`);
