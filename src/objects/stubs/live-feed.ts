import type { Env } from "../../env.ts";
import type { LiveMessage } from "../../wire/live.ts";
import type { Viewer } from "../live/viewer.ts";

/** Most who look at a scope at the same time. */
export const MAX_VIEWERS = 50;

/** What a writer calls. Not taken from the class: it calls the writers in its turn. */
interface Feed {
  tell(messages: readonly LiveMessage[]): Promise<boolean>;
}

/** The feed of a scope. */
export function liveFeedOf(env: Env, scope: number): Feed {
  return feed(env, scope) as never;
}

/** Lets a viewer look: 101 with its WebSocket, 429 when too many look already. */
export function openLiveFeed(env: Env, viewer: Viewer): Promise<Response> {
  const headers = { upgrade: "websocket", "x-viewer": JSON.stringify(viewer) };
  return feed(env, viewer.scope).fetch("https://live/", { headers });
}

function feed({ LIVE_FEED }: Env, scope: number): DurableObjectStub {
  return LIVE_FEED.get(LIVE_FEED.idFromName(String(scope)));
}
