import type { Context } from "hono";
import type { Env } from "../../platform/env.ts";
import { attributionHeader } from "./attribution.ts";
import { isAudited, recordBefore, writeAudit } from "./audit.ts";
import { readBody } from "./body.ts";
import { countUsage, limitByAddress, limitSender, projectEnv } from "./callers/allowance.ts";
import { admitBySecret } from "./callers/deployment-secret.ts";
import { type Identity, identify, withSpeaker } from "./callers/identify.ts";
import type { Caller } from "./callers/identity.ts";
import { isForHelpers, OnlyMain, passOn } from "./callers/pass-on.ts";
import { tellHelpers } from "./callers/tell-helpers.ts";
import { machineBehind, refuseWhenFull } from "./disk.ts";
import { type AuditNote, type Call, type Endpoint, MediaReply, type Reply } from "./endpoint.ts";
import { failure } from "./failure.ts";
import { noteAnswer, requestFigures } from "./figures.ts";
import { headersOf } from "./headers.ts";
import { checkInput, type EndpointRequest, readRequest } from "./input.ts";
import { type LogLine, startLog, writeLog } from "./log.ts";
import { onlyForSession, toResponse } from "./response.ts";
import { type Notes, ServedCall } from "./served-call.ts";
import { traceAnswer } from "./traces.ts";
import { countError } from "./usage.ts";

/**
 * Hono's handler of an endpoint: runs the steps of a request, writes the response, and notes both. A helper process passes on what only the
 * main one can answer, which notes it.
 * @param reader returns the record that the endpoint changes: the audit log has it before and after
 */
export function serve(
  endpoint: Endpoint,
  reader?: Endpoint,
): (context: Context<{ Bindings: Env }>) => Promise<Response> {
  const figures = requestFigures.of(endpoint.name);
  const isHere = isForHelpers(endpoint);
  return async ({ req, env, executionCtx: execution }) => {
    const request = req.raw;
    if (env.MAIN && !isHere) return passOn(request, env);
    const log = startLog(request, endpoint.path);
    const notes: Notes = { leftOut: undefined, credits: undefined, pace: undefined };
    try {
      const asked = readRequest({ endpoint, request, env, execution, log, params: req.param() });
      const reply = await answer(asked, notes, reader);
      const told = tellHelpers(env);
      if (told) await told;
      return respond(endpoint, reply, notes, log, env);
    } catch (error) {
      if (error instanceof OnlyMain) return await passOn(request, env);
      return failure(await machineBehind(error, env), log, env, endpoint, request.url);
    } finally {
      notes.pace?.end();
      // 0: passed on.
      if (log.status > 0) {
        if (log.status >= 400) countError(endpoint.countedAs ?? endpoint.name, env, execution, log);
        const durationMs = writeLog(log, env, execution);
        noteAnswer(env, endpoint.name, figures, log, durationMs);
        traceAnswer(env, endpoint.name, request, log, durationMs, execution);
      }
    }
  };
}

/** The steps of a request, to the reply of its handler. Cached values are not awaited: nearly every request has them. */
async function answer(asked: EndpointRequest, notes: Notes, reader: Endpoint | undefined): Promise<Reply> {
  const { endpoint, request, env, execution, log, now } = asked;
  refuseWhenFull(endpoint, env, execution, now);
  limitByAddress(asked);
  if (endpoint.secret) await admitBySecret(endpoint.secret, env, request);
  const identified = identify(asked);
  const identity = identified instanceof Promise ? await identified : identified;
  logIdentity(log, identity);
  const limited = limitSender(asked, identity);
  if (limited) await limited;
  const sender = identity.token ? await withSpeaker(identity, identity.token, now) : identity;
  countUsage(asked, sender);
  const body = endpoint.body ? await readBody(request, endpoint.bodyLimit, endpoint.oauth) : {};
  const note: AuditNote = {};
  const call = callOf(asked, sender, checkInput(asked, body), notes, note);
  const audited = sender.caller?.member !== undefined && isAudited(endpoint);
  const before = audited ? await recordBefore(reader, call) : undefined;
  const reply = await endpoint.handle(call as Call<never, never>);
  if (audited) await writeAudit(endpoint, call, { note, before, reply });
  return reply;
}

function logIdentity(log: LogLine, { caller, member }: Identity): void {
  log.member = member?.id;
  log.project = caller?.project;
  log.live = caller?.live;
}

function callOf(
  { params, env, request, execution, log, client, now }: EndpointRequest,
  { caller, member, isSigned }: Identity,
  { query, body }: Pick<Call, "query" | "body">,
  notes: Notes,
  note: AuditNote,
): Call {
  const own = caller ? projectEnv(env, caller) : env;
  const { requestId } = log;
  return new ServedCall(
    { params, query, body, caller: caller as Caller, member, env: own, request, requestId, now },
    { waitUntil: (promise) => execution.waitUntil(promise), notes, note, payer: { caller, client, isSigned } },
  );
}

function respond(endpoint: Endpoint, reply: Reply, notes: Notes, log: LogLine, env: Env): Response {
  const isForBrowsers = endpoint.level === "publishable" || endpoint.level === "open";
  log.status = reply instanceof Response || reply instanceof MediaReply ? reply.status : (endpoint.status ?? 200);
  if (notes.leftOut) log.leftOut = [...notes.leftOut].sort().join(", ");
  const attribution = notes.credits && attributionHeader(notes.credits.values());
  const response = toResponse(endpoint, reply, headersOf(log.requestId, isForBrowsers, env));
  if (log.leftOut) response.headers.set("x-graticule-left-out", log.leftOut);
  if (attribution) response.headers.set("x-graticule-attribution", attribution);
  return log.member === undefined ? response : onlyForSession(response);
}
