import { EXPOSITION_TYPE } from "../../metrics/exposition.ts";
import { isOnThisMachine } from "../../metrics/own-machine.ts";
import { ApiError } from "../../platform/errors.ts";
import { isSameSecret } from "../serve/callers/same-secret.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { requestFigures } from "../serve/figures.ts";
import { deploymentFigures } from "./deployment.ts";
import { metricsText } from "./text.ts";

export const metrics = endpoint({
  name: "metrics",
  method: "GET",
  path: "/metrics",
  level: "open",
  rate: "address",
  chapter: "Operation",
  summary: "Returns metrics of the deployment in the Prometheus text format (0.0.4).",
  description:
    "Requires the deployment's secret `METRICS_TOKEN` as `Authorization: Bearer …`; API keys are not accepted. Without this secret the path is " +
    "unknown (404), except for local callers if `npm start` or `npm run dev` listens only on the local machine. Requests, durations and the cache are " +
    "those of the responding isolate: on one machine, of the server; on Cloudflare there are many, and Analytics Engine has the metrics of all. Queues, " +
    "dead letters, users and geodata are those of the deployment, at most five seconds old.",
  media: [EXPOSITION_TYPE],
  errors: [404],
  async handle({ env, request, now }) {
    await mayRead({ env, request });
    const figures = await deploymentFigures(env, now);
    return new Response(metricsText(requestFigures, figures, now), { headers: { "content-type": EXPOSITION_TYPE } });
  },
});

/** @throws ApiError 404 if metrics are disabled, 401 without the token */
async function mayRead({ env, request }: Pick<Call, "env" | "request">): Promise<void> {
  const { METRICS_TOKEN: token, METRICS_LOCAL: local } = env;
  if (local === "true" && isOnThisMachine(request.url, request.headers)) return;
  if (!token) throw new ApiError(404, "Not found. There is no such path.");
  const given = (request.headers.get("authorization") ?? "").replace(/^bearer /i, "").trim();
  if (await isSameSecret(given, token)) return;
  throw new ApiError(401, "Unauthorized. Send the deployment's METRICS_TOKEN as a bearer token.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}
