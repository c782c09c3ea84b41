import { DurableObject } from "cloudflare:workers";
import { findCaller, type KeyRecord } from "../../db/projects/keys.ts";
import { findSession, type Proof } from "../../db/projects/sessions.ts";
import type { Env } from "../../env.ts";
import { PerSecond } from "../../limits/per-second.ts";
import type { LiveMessage } from "../../wire/live.ts";
import { announceViewers } from "../stubs/database-writers.ts";
import { MAX_VIEWERS } from "../stubs/live-feed.ts";
import type { Credential, Viewer } from "./viewer.ts";

/** Most positions told in a second: a browser follows no more. */
const MAX_POSITIONS = 1_000;
/** How long writers believe that somebody looks [ms]. Renewed at half of it; it ends by itself when viewers are lost. */
const LEASE_MS = 10 * 60_000;
/** Before it tells more, a viewer's right is looked up again when it was looked up longer ago than this [ms]. */
const BELIEVED_MS = 8_000;

/** Closes the line: the key or session no longer counts. */
const NO_LONGER_ALLOWED = 4401;

/**
 * One per scope that somebody looks at: hands what the writers have stored on to the viewers, each on a WebSocket. While
 * nothing happens it sleeps (hibernation), and where nobody looks no writer calls it.
 */
export class LiveFeed extends DurableObject<Env> {
  #believedUntil = 0;
  readonly #positions = new PerSecond(MAX_POSITIONS);
  /** Messages are told in the order in which they came, also while a right is looked up. */
  #telling: Promise<void> = Promise.resolve();

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    // Answered by the platform, while this sleeps.
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** A new viewer; who it is stands in a header. 101, or 429 when too many look already. */
  override async fetch(request: Request): Promise<Response> {
    const viewer = JSON.parse(request.headers.get("x-viewer") ?? "") as Viewer;
    if (this.ctx.getWebSockets().length >= MAX_VIEWERS) return new Response(null, { status: 429 });
    // Before hello: what happens from then on is told.
    await this.#announce(viewer.scope);
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    ours.serializeAttachment(viewer);
    ours.send(JSON.stringify({ type: "hello", at: new Date().toISOString() }));
    return new Response(null, { status: 101, webSocket: theirs });
  }

  /** Tells the viewers. False: there are none, and the writer need not call again. */
  async tell(messages: readonly LiveMessage[]): Promise<boolean> {
    if (this.#viewers().length === 0) return false;
    const told = this.#telling.then(() => this.#tell(messages));
    this.#telling = told.catch(() => {});
    await told;
    return true;
  }

  async #tell(messages: readonly LiveMessage[]): Promise<void> {
    await this.#lookUpRights();
    const now = Date.now();
    const kept = messages.filter(({ kind }) => kind === "event" || this.#positions.take(now));
    const leftOut = messages.length - kept.length;
    for (const socket of this.#viewers()) {
      const viewer = socket.deserializeAttachment() as Viewer;
      for (const message of kept) if (concerns(message, viewer)) send(socket, message.text);
      if (leftOut > 0 && viewer.kinds.includes("position") && viewer.user === undefined)
        send(socket, JSON.stringify({ type: "left_out", positions: leftOut }));
    }
  }

  /** Closes the lines of those whose key or session has ended. A database that is away ends nobody's right. */
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
        for (const socket of sockets) socket.close(NO_LONGER_ALLOWED, "The key or session no longer counts.");
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

  /** The project behind a session, while its member has a role there. */
  async #session(scope: number, proof: Proof, now: number): Promise<KeyRecord | undefined> {
    return (await findSession(this.env, proof, scope >> 1, scope % 2 === 1, now))?.record;
  }

  #viewers(): WebSocket[] {
    return this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
  }

  async #announce(scope: number): Promise<void> {
    await announceViewers(this.env, scope, Date.now() + LEASE_MS);
    await this.ctx.storage.setAlarm(Date.now() + LEASE_MS / 2);
  }

  /** Renews the lease while somebody looks. */
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

  /** Viewers have nothing to say. */
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

/** A line that is just breaking must not keep the others waiting. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // Its close is told to `webSocketClose`.
  }
}
