import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { WebhookSender } from "./webhook-sender.ts";

type Calls = "recover" | "accept" | "replay" | "test" | "changed" | "state" | "figures" | "forgetUsers" | "clear";

/** The sender of a webhook. */
export function webhookSenderOf(env: Env, scope: number, id: string): Remote<WebhookSender, Calls> {
  return remoteObject(env, "WEBHOOK_SENDER", `${scope}:${id}`);
}
