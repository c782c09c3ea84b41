import { runStatements } from "../../db/local-databases.ts";
import { answerFences } from "../../objects/fences/geofence-index-stub.ts";
import { rateLimiterOf } from "../../objects/rate-limiter-stub.ts";
import type { Env } from "../../platform/env.ts";
import {
  CALLS,
  type DatabaseCall,
  type FencesCall,
  type ForgetCall,
  type LimitCall,
  type SettleCall,
} from "../../platform/processes.ts";
import { residentEnv } from "../../platform/residence.ts";
import { isolateText } from "../metrics/text.ts";
import { forgetProject } from "../serve/callers/caller.ts";
import { requestFigures } from "../serve/figures.ts";
import { settleUsage } from "../serve/usage.ts";

/** The response to a call of another process of this server. Errors are texts, which the caller throws again. */
export async function answerCall(request: Request, env: Env): Promise<Response> {
  try {
    switch (new URL(request.url).pathname) {
      case CALLS.database:
        return Response.json(await runStatements(env, await request.json<DatabaseCall>()));
      case CALLS.limit: {
        const { counter, jurisdiction, rate, wanted, returned } = await request.json<LimitCall>();
        const limiter = rateLimiterOf(residentEnv(env, jurisdiction), counter);
        return Response.json(await limiter.take(rate, wanted, returned));
      }
      case CALLS.fences: {
        const call = await request.json<FencesCall>();
        return Response.json(await answerFences(residentEnv(env, call.jurisdiction), call));
      }
      case CALLS.forget:
        for (const project of (await request.json<ForgetCall>()).projects) forgetProject(project);
        return new Response();
      case CALLS.settle:
        await settleUsage(env, (await request.json<SettleCall>()).project);
        return new Response();
      case CALLS.figures:
        return new Response(isolateText(requestFigures));
      default:
        return new Response("There is no such call.", { status: 404 });
    }
  } catch (error) {
    return new Response(error instanceof Error ? error.message : String(error), { status: 500 });
  }
}
