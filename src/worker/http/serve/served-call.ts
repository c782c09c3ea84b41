import type { DataSource } from "../../../core/geo/builds/manifest.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import type { SignedIn } from "../../db/projects/sessions.ts";
import type { Env } from "../../platform/env.ts";
import type { Caller } from "./callers/identity.ts";
import type { AuditNote, Call } from "./endpoint.ts";
import { paceOf, type Sender } from "./request-pace.ts";

/** Additional results of handlers, for the headers. */
export interface Notes {
  leftOut: Set<string> | undefined;
  credits: Map<string, DataSource> | undefined;
  /** Of the request; absent if it counts no work. */
  pace: Pace | undefined;
}

/** What a handler reads of a call. */
type Parts = Pick<Call, "params" | "query" | "body" | "caller" | "member" | "env" | "request" | "requestId" | "now">;

/** What the calls of one request have in common. */
interface Common {
  waitUntil: Call["waitUntil"];
  notes: Notes;
  /** The entry of the audit log. */
  note: AuditNote;
  /** Who is charged for the work. */
  payer: Sender;
}

/**
 * The call of a request. A class, because an accessor of an object literal (`ip`) is defined again for each request. Functions are fields:
 * handlers take them out of the call.
 */
export class ServedCall implements Call {
  readonly params: Call["params"];
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  declare readonly member?: SignedIn;
  readonly env: Env;
  readonly request: Request;
  readonly requestId: string;
  readonly now: number;
  readonly waitUntil: Call["waitUntil"];
  readonly leftOut: Call["leftOut"];
  readonly credit: Call["credit"];
  readonly audit: Call["audit"];
  readonly #common: Common;

  constructor(parts: Parts, common: Common) {
    const { notes, note, waitUntil } = common;
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.caller = parts.caller;
    this.member = parts.member;
    this.env = parts.env;
    this.request = parts.request;
    this.requestId = parts.requestId;
    this.now = parts.now;
    this.waitUntil = waitUntil;
    this.leftOut = (what) => {
      notes.leftOut ??= new Set();
      notes.leftOut.add(what);
    };
    this.credit = (sources) => {
      notes.credits ??= new Map();
      for (const source of sources) notes.credits.set(source.name, source);
    };
    this.audit = (said) => Object.assign(note, said);
    this.#common = common;
  }

  /** Created when it is first used: most requests count no work. */
  get pace(): Pace {
    const { notes, payer } = this.#common;
    notes.pace ??= paceOf(payer, this.request, this.env);
    return notes.pace;
  }

  get ip(): string | undefined {
    return this.#common.payer.client.ip;
  }

  with(parts: Partial<Parts>): Call<never, never> {
    const call: Call = new ServedCall({ ...this, ...parts }, this.#common);
    return call as Call<never, never>;
  }
}
