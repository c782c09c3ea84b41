import type { Env } from "../../platform/env.ts";
import type { Remote } from "../remote.ts";
import type { WebhookSender } from "./webhook-sender.ts";

type Calls = "recover" | "accept" | "replay" | "test" | "changed" | "state" | "figures" | "forgetUsers" | "clear";

/** The sender of a webhook. */
export function webhookSenderOf(env: Env, scope: number, id: string): Remote<WebhookSender, Calls> {
  const { WEBHOOK_SENDER } = env;
  return WEBHOOK_SENDER.get(WEBHOOK_SENDER.idFromName(`${scope}:${id}`)) as never;
}
