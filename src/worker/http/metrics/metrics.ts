import { EXPOSITION_TYPE } from "../../../core/metrics/exposition.ts";
import { CALLS } from "../../platform/processes.ts";
import { askHelpers } from "../serve/callers/tell-helpers.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestFigures } from "../serve/figures.ts";
import { deploymentFigures } from "./deployment.ts";
import { metricsText } from "./text.ts";

export const metrics = endpoint({
  name: "metrics",
  method: "GET",
  path: "/metrics",
  level: "open",
  secret: "METRICS_TOKEN",
  rate: "address",
  chapter: "Operation",
  summary: "Returns metrics of the deployment in the Prometheus text format (0.0.4).",
  description:
    "Requires the deployment's secret `METRICS_TOKEN` as `Authorization: Bearer …`; API keys are not accepted. Without this secret the path is " +
    "unknown (404). `npm start` and `npm run dev` create one in the file `metrics-token` of their state if you set none. Requests, durations and the cache are " +
    "those of the responding isolate: on one machine, of each process of the server (`process` names a helper); on Cloudflare there are many, and Analytics Engine has the metrics of all. Queues, " +
    "dead letters, users and geodata are those of the deployment, at most five seconds old.",
  media: [EXPOSITION_TYPE],
  errors: [404],
  async handle({ env, now }) {
    const [figures, helpers] = await Promise.all([deploymentFigures(env, now), askHelpers(env, CALLS.figures)]);
    return new Response(metricsText(requestFigures, figures, helpers, now), {
      headers: { "content-type": EXPOSITION_TYPE },
    });
  },
});
