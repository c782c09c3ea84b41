export type { components, operations } from "./api.d.ts";
export {
  Graticule,
  type GraticuleOptions,
  type Input,
  type Item,
  type Operation,
  type Output,
  type RequestOptions,
  type Upload,
} from "./client.ts";
export { GraticuleError } from "./error.ts";
export { signToken, type TokenClaims, type TokenOptions } from "./token.ts";
export { verifyWebhook, WebhookError, type WebhookMessage } from "./webhook.ts";
