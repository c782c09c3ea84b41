import type { DataSource } from "../../../core/geo/builds/manifest.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import type { SignedIn } from "../../db/projects/sessions.ts";
import type { Env } from "../../platform/env.ts";
import type { Caller } from "./callers/identity.ts";
import type { Client } from "./connection.ts";
import type { AuditNote, Call } from "./endpoint.ts";
import { paceOf } from "./request-pace.ts";

/** Additional results of handlers, for the headers. */
export interface Notes {
  leftOut: Set<string> | undefined;
  credits: Map<string, DataSource> | undefined;
  /** Of the request; absent if it counts no work. */
  pace: Pace | undefined;
}

/** What a call consists of. */
type Parts = Pick<Call, "params" | "query" | "body" | "caller" | "member" | "env" | "request" | "requestId" | "now"> & {
  isSigned: boolean;
};

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
  readonly #client: Client;
  readonly #notes: Notes;
  readonly #isSigned: boolean;

  constructor(parts: Parts, client: Client, waitUntil: Call["waitUntil"], notes: Notes, note: AuditNote) {
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
    this.#client = client;
    this.#notes = notes;
    this.#isSigned = parts.isSigned;
  }

  /** Created when it is first used: most requests count no work. */
  get pace(): Pace {
    const { caller, ip, request, env } = this;
    this.#notes.pace ??= paceOf({ caller, ip, isSigned: this.#isSigned }, request, env);
    return this.#notes.pace;
  }

  get ip(): string | undefined {
    return this.#client.ip;
  }
}
