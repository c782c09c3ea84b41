import type { Attempt } from "../../webhooks/types.ts";

/** Attempts of this isolate's senders to deliver a message, by how they ended. */
export const deliveryFigures: Record<Attempt["outcome"], number> = { delivered: 0, retrying: 0, dead: 0, test: 0 };
