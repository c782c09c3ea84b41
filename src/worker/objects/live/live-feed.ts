import { DurableObject } from "cloudflare:workers";
import { PerSecond } from "../../../core/limits/per-second.ts";
import { findCaller, type KeyRecord } from "../../db/projects/keys.ts";
import { findSession, type Proof } from "../../db/projects/sessions.ts";
import type { Env } from "../../platform/env.ts";
import { type LiveMessage, liveText } from "../../wire/live.ts";
import { MAX_VIEWERS } from "../viewers/live-feed-stub.ts";
import type { Credential, Viewer } from "../viewers/viewer.ts";
import { announceViewers } from "../writer/database-writers-stub.ts";
import { RecentEvents } from "./recent-events.ts";

/** Maximum number of positions sent per second: a browser can't process more. */
const MAX_POSITIONS = 1_000;
/**
 * How long writers assume that a viewer is connected [ms]. Renewed at half of it; expires automatically when viewers
 * are lost.
 */
const LEASE_MS = 10 * 60_000;
/** Before sending, a viewer's access is checked again if the last check is older than this [ms]. */
const BELIEVED_MS = 8_000;

/** Close code: the key or session is no longer valid. */
const NO_LONGER_ALLOWED = 4401;
/** Close code of RFC 6455: connect again. */
const SERVICE_RESTART = 1012;

/**
 * One object per scope with viewers. It forwards the rows stored by the writers to the viewers, each on a WebSocket. It
 * hibernates while nothing happens, and writers don't call it when there are no viewers.
 */
export class LiveFeed extends DurableObject<Env> {
  #believedUntil = 0;
  readonly #positions = new PerSecond(MAX_POSITIONS);
  readonly #events = new RecentEvents();
  /** Messages are sent in the order of arrival, even while access is being checked. */
  #sending: Promise<void> = Promise.resolve();

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    // The platform responds to pings while this object hibernates.
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Connects a viewer, whose identity is in a header. Returns 101, or 429 if there are too many viewers. */
  override async fetch(request: Request): Promise<Response> {
    const viewer = JSON.parse(request.headers.get("x-viewer") ?? "") as Viewer;
    if (this.ctx.getWebSockets().length >= MAX_VIEWERS) return new Response(null, { status: 429 });
    // Before hello: the viewer gets everything that happens from now on.
    await this.#announce(viewer.scope);
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    ours.serializeAttachment(viewer);
    ours.send(liveText({ type: "hello", at: new Date().toISOString() }));
    return new Response(null, { status: 101, webSocket: theirs });
  }

  /** Sends messages to the viewers. Returns false if there are none, and the writer doesn't need to call again. */
  async tell(messages: readonly LiveMessage[]): Promise<boolean> {
    if (this.#viewers().length === 0) return false;
    const sent = this.#sending.then(() => this.#send(messages));
    this.#sending = sent.catch(() => {});
    await sent;
    return true;
  }

  /** The project has moved to another jurisdiction: viewers connect again, to its feed there. */
  leave(): void {
    for (const socket of this.#viewers()) socket.close(SERVICE_RESTART, "The project has moved. Connect again.");
  }

  async #send(messages: readonly LiveMessage[]): Promise<void> {
    await this.#lookUpRights();
    const now = Date.now();
    const unsent = this.#events.unsent(messages);
    const kept = unsent.filter(({ kind }) => kind === "event" || this.#positions.take(now));
    const leftOut = unsent.length - kept.length;
    for (const socket of this.#viewers()) {
      const viewer = socket.deserializeAttachment() as Viewer;
      for (const message of kept) if (concerns(message, viewer)) send(socket, message.text);
      if (leftOut > 0 && viewer.kinds.includes("position") && viewer.user === undefined)
        send(socket, liveText({ type: "left_out", positions: leftOut }));
    }
  }

  /** Closes connections whose key or session has ended. An unavailable database ends no access. */
  async #lookUpRights(): Promise<void> {
    const now = Date.now();
    if (now < this.#believedUntil && this.#believedUntil - now <= BELIEVED_MS) return;
    const byRight = new Map<string, WebSocket[]>();
    for (const socket of this.#viewers()) {
      const { scope, credential } = socket.deserializeAttachment() as Viewer;
      const right = JSON.stringify({ scope, credential });
      byRight.set(right, [...(byRight.get(right) ?? []), socket]);
    }
    await Promise.all(
      [...byRight].map(async ([right, sockets]) => {
        const { scope, credential } = JSON.parse(right) as Pick<Viewer, "scope" | "credential">;
        if (await this.#mayLook(scope, credential, now)) return;
        for (const socket of sockets) socket.close(NO_LONGER_ALLOWED, "The key or session is no longer valid.");
      }),
    );
    this.#believedUntil = now + BELIEVED_MS;
  }

  async #mayLook(scope: number, credential: Credential, now: number): Promise<boolean> {
    try {
      const record =
        "key" in credential
          ? await findCaller(this.env, credential.key, now)
          : await this.#session(scope, credential, now);
      return record?.scope === scope && record.secret && !record.disabled;
    } catch {
      return true;
    }
  }

  /** The project of a session, while its member has a role in it. */
  async #session(scope: number, proof: Proof, now: number): Promise<KeyRecord | undefined> {
    return (await findSession(this.env, proof, scope >> 1, scope % 2 === 1, now))?.record;
  }

  #viewers(): WebSocket[] {
    return this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
  }

  async #announce(scope: number): Promise<void> {
    // First: if the lease cannot be renewed now, it is later.
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS / 2);
    await announceViewers(this.env, scope, Date.now() + LEASE_MS);
  }

  /** Renews the lease while viewers are connected. */
  override async alarm(): Promise<void> {
    const [first] = this.#viewers();
    if (first) await this.#announce((first.deserializeAttachment() as Viewer).scope);
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close();
    await this.#left(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#left(socket);
  }

  /** Messages from viewers are ignored. */
  override webSocketMessage(): void {}

  async #left(socket: WebSocket): Promise<void> {
    if (this.#viewers().some((other) => other !== socket)) return;
    await announceViewers(this.env, (socket.deserializeAttachment() as Viewer).scope, 0);
    await this.ctx.storage.deleteAlarm();
  }
}

function concerns({ kind, names, eventType }: LiveMessage, { kinds, user, eventTypes }: Viewer): boolean {
  if (!kinds.includes(kind) || (user !== undefined && !names.includes(user))) return false;
  return eventType === undefined || eventTypes === undefined || eventTypes.includes(eventType);
}

/** A broken connection must not delay the others. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // `webSocketClose` handles the close.
  }
}
