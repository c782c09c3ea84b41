import { EXPOSITION_TYPE } from "../../metrics/exposition.ts";
import { isOnThisMachine } from "../../metrics/own-machine.ts";
import { endpoint } from "../serve/endpoint.ts";
import { requestFigures } from "../serve/figures.ts";
import { deploymentFigures } from "./deployment.ts";
import { metricsText } from "./text.ts";

export const metrics = endpoint({
  name: "metrics",
  method: "GET",
  path: "/metrics",
  level: "open",
  secret: {
    name: "METRICS_TOKEN",
    isLocal: ({ METRICS_LOCAL }, { url, headers }) => METRICS_LOCAL === "true" && isOnThisMachine(url, headers),
  },
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
  async handle({ env, now }) {
    const figures = await deploymentFigures(env, now);
    return new Response(metricsText(requestFigures, figures, now), { headers: { "content-type": EXPOSITION_TYPE } });
  },
});
