import type { Attempt } from "../../../core/webhooks/types.ts";

/** Delivery attempts of this isolate's senders, by outcome. */
export const deliveryFigures: Record<Attempt["outcome"], number> = { delivered: 0, retrying: 0, dead: 0, test: 0 };
