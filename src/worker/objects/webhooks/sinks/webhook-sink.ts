import { signedHeaders } from "../../../../core/webhooks/signature.ts";
import { escapingOf, fillIn, parseTemplate } from "../../../../core/webhooks/template.ts";
import type { Message, WebhookConfig } from "../../../../core/webhooks/types.ts";
import { post, type Way } from "./post.ts";
import type { Sink } from "./sink.ts";

/** Posts each message separately and signed, as our JSON or in the form of a template. */
export function webhookSink(config: WebhookConfig, way: Way): Sink {
  const { url, secrets, settings } = config;
  const contentType = settings.contentType ?? "application/json";
  return {
    mostAtOnce: 1,
    mostBytes: Number.POSITIVE_INFINITY,
    parallel: 6,
    keepsBatches: false,
    dueAt: (now) => now,
    async send([message]) {
      const posted = await post(url, way, async (checked, now) => {
        const body = bodyOf(message, settings.template, contentType);
        const signed = await signedHeaders(secrets, { id: message.id, body }, crypto.randomUUID(), now);
        const headers = {
          ...settings.headers,
          "content-type": contentType,
          "user-agent": "Graticule-Webhooks/1",
          ...signed,
        };
        return { url: checked.href, init: { method: "POST", headers, body } };
      });
      return [posted];
    },
  };
}

function bodyOf({ body }: Message, text: string | undefined, contentType: string): string {
  if (text === undefined) return body;
  const { template } = parseTemplate(text);
  return fillIn(template ?? [], JSON.parse(body), escapingOf(contentType));
}
