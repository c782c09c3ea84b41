import { Hono } from "hono";

/** The least a request can cost here: what every Worker pays for being one. The floor under the figures of the real one. */
export default new Hono().all("*", (context) => context.json({ meta: { code: 200 } }));
