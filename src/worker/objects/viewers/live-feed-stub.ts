import type { Env } from "../../platform/env.ts";
import type { LiveMessage } from "../../wire/live.ts";
import { remoteObject } from "../remote.ts";
import type { Viewer } from "./viewer.ts";

/** Maximum concurrent viewers of a scope. */
export const MAX_VIEWERS = 50;

/** The methods that are called. Not derived from the class, which itself calls the writers. */
interface Feed {
  tell(messages: readonly LiveMessage[]): Promise<boolean>;
  leave(): Promise<void>;
}

/** The feed of a scope. */
export function liveFeedOf(env: Env, scope: number): Feed {
  return remoteObject(env, "LIVE_FEED", String(scope));
}

/** Connects a viewer: 101 with its WebSocket, or 429 if there are too many viewers. */
export function openLiveFeed(env: Env, viewer: Viewer): Promise<Response> {
  const headers = { upgrade: "websocket", "x-viewer": JSON.stringify(viewer) };
  return remoteObject<DurableObjectStub>(env, "LIVE_FEED", String(viewer.scope)).fetch("https://live/", { headers });
}

/** The project has moved: its viewers connect again, to its feed there. */
export async function leaveLiveFeed(env: Env, scope: number): Promise<void> {
  await liveFeedOf(env, scope).leave();
}
