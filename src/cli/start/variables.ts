/** Environment variables of the Worker (src/platform/env.ts) that an operator may set for `npm start`. */
export const VARIABLES = [
  "ACCESS_TEAM_DOMAIN",
  "ACCESS_AUD",
  "BASEMAP_ARCHIVE",
  "ALLOW_PRIVATE_HOSTS",
  "WEBHOOK_SCHEDULE",
  "SAFETY_NET_SECONDS",
  "DATABASE_WRITERS",
  "LOG_GATHER_MS",
  "WRITE_GATHER_MS",
  "METRICS_TOKEN",
  "ALERT_LIMITS",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "OTEL_TRACES_SAMPLER_ARG",
  "ARCHIVE_AFTER_DAYS",
] as const;
