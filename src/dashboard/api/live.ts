import { useEffect, useRef, useState } from "preact/hooks";
import type { LivePosition, LiveUpdate } from "../../worker/wire/live.ts";
import type { Api } from "./client.ts";
import { useApi } from "./hooks.ts";

/** Live events: `GET /v1/live` as a WebSocket. */

export type { LivePosition } from "../../worker/wire/live.ts";
export type LiveEvent = Extract<LiveUpdate, { type: "event" }>["event"];

/** connecting: opening; waiting: the connection was lost and is retried; ended: the session is no longer valid. */
export type LiveState = "connecting" | "open" | "waiting" | "ended";

interface LiveOptions {
  kinds?: "events" | "positions" | "events,positions";
  /** An _id, userId or deviceId. */
  userId?: string;
  /** Types of events, with commas. */
  types?: string;
  /** The feed is open: what happens from now on comes, so lists are to be loaded now. */
  onHello?: (at: string) => void;
  onEvent?: (event: LiveEvent) => void;
  onPosition?: (user: LivePosition) => void;
}

const PING_MS = 30_000;
const PONG_MS = 10_000;
/** Close code for a key or session that is no longer valid. */
const NO_LONGER_WELCOME = 4401;

/** @param on false closes the line; what is not looked at costs nothing */
export function useLive(options: LiveOptions, on = true): LiveState {
  const api = useApi();
  const [state, setState] = useState<LiveState>("connecting");
  const latest = useRef(options);
  latest.current = options;
  const { kinds = "", userId = "", types = "" } = options;
  useEffect(() => {
    if (!on) return;
    return keepOpen(api, { kinds, userId, types }, setState, (message) => {
      const { onHello, onEvent, onPosition } = latest.current;
      if (message.type === "hello") onHello?.(message.at);
      else if (message.type === "event") onEvent?.(message.event);
      else if (message.type === "position") onPosition?.(message.user);
    });
  }, [api, on, kinds, userId, types]);
  return state;
}

/** Connects, and connects again after 1, 2, 4 … 30 seconds. @returns what ends it */
function keepOpen(
  api: Api,
  query: Record<string, string>,
  report: (state: LiveState) => void,
  take: (message: LiveUpdate) => void,
): () => void {
  let socket: WebSocket | undefined;
  let isOver = false;
  let lost = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  let ping: ReturnType<typeof setInterval> | undefined;
  let pong: ReturnType<typeof setTimeout> | undefined;
  const quiet = () => {
    clearInterval(ping);
    clearTimeout(pong);
    clearTimeout(again);
  };
  const open = () => {
    const line = new WebSocket(api.url("/v1/live", query).replace(/^http/, "ws"));
    socket = line;
    line.onmessage = ({ data }: MessageEvent<string>) => {
      if (data === "pong") {
        clearTimeout(pong);
        return;
      }
      const message = JSON.parse(data) as LiveUpdate;
      if (message.type === "hello") {
        lost = 0;
        report("open");
      }
      take(message);
    };
    line.onopen = () => {
      ping = setInterval(() => {
        line.send("ping");
        pong = setTimeout(() => line.close(), PONG_MS);
      }, PING_MS);
    };
    line.onclose = ({ code }) => {
      quiet();
      if (isOver) return;
      if (code === NO_LONGER_WELCOME) {
        report("ended");
        return;
      }
      report(lost === 0 ? "connecting" : "waiting");
      again = setTimeout(open, Math.min(30_000, 1000 * 2 ** lost++));
    };
  };
  open();
  return () => {
    isOver = true;
    quiet();
    socket?.close();
  };
}
