/** The cron by which `npm start` says that the server is about to stop (src/server/start/socket/drain.ts). */
export const HOLD_CRON = "hold";

/** The response to requests that come after a stop began. */
export const STOPPING_BODY = JSON.stringify({
  meta: { code: 503, message: "The server is stopping. Try again in a few seconds." },
});
export const STOPPING_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "retry-after": "1",
  "access-control-allow-origin": "*",
};

/** How often a held response looks whether it may leave, and how long it waits at most [ms]. */
const [LOOK_MS, AT_MOST_MS] = [25, 8000];

let heldUntil = 0;

/**
 * From now on, requests get 503, when `npm start` has sent workerd the signal to stop, which is when STOPPING responds. workerd then adds
 * `Connection: close` to responses. Before the signal it does not, and a Worker cannot: that header of a response is dropped.
 */
export async function holdRequests(env: { STOPPING?: { fetch(url: string): Promise<unknown> } }): Promise<void> {
  if (!env.STOPPING) return;
  heldUntil = Date.now() + AT_MOST_MS;
  try {
    await env.STOPPING.fetch("http://stopping/");
    heldUntil = 1;
  } catch (error) {
    heldUntil = 0;
    throw error;
  }
}

export const isStopping = () => heldUntil > 0;

/** The response to a request that came after the stop began. */
export async function heldRequest(request: Request): Promise<Response> {
  // Closing a connection with unread bytes resets it.
  await request.body?.pipeTo(new WritableStream()).catch(() => {});
  // Each looks for itself: a promise of one request must not be awaited by another.
  while (Date.now() < heldUntil) await new Promise((looks) => setTimeout(looks, LOOK_MS));
  return new Response(STOPPING_BODY, { status: 503, headers: STOPPING_HEADERS });
}
