# Graticule on one machine (docs/self-hosting.md):
#
#     docker build -t graticule .
#     docker run -p 8787:8787 -v graticule:/data graticule
#
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The dashboard and the Worker, so that a start builds nothing.
RUN node src/cli/start.ts --build

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What a server and imports need, without the compilers of the dashboard and the tests. workerd's binary is an optional package of its platform.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY --from=build /app/dist ./dist
COPY src ./src
COPY migrations ./migrations
COPY docs ./docs
COPY wrangler.toml vite.dashboard.config.ts LICENSE NOTICE ./
# Imports keep what they download and work on below .geodata: mount a disk there for large ones.
RUN mkdir /data .geodata && chown node:node /data .geodata
USER node
VOLUME ["/data", "/app/.geodata"]
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=180s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/v1/ping').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--no-warnings", "src/cli/start.ts", "--host", "0.0.0.0", "--persist-to", "/data"]
