# Graticule on one machine (docs/self-hosting.md):
#
#     docker build -t graticule .
#     docker run -p 8787:8787 -v graticule:/data graticule
#
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The dashboard and the Worker, so that a start builds nothing; nothing reads the source map.
RUN node src/cli/start.ts --build && rm dist/server/*.map

# What a server and imports load, without the compilers of the dashboard and the tests. workerd's binary is an optional package of its platform.
FROM node:24-bookworm AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# Part of the bundled Worker, or of features of Miniflare that we have none of.
RUN rm -r node_modules/icodec node_modules/@resvg node_modules/sharp node_modules/@img
# Read by people and editors; fonts of other widths; and the names of functions, which a quarter of workerd is.
RUN find node_modules -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" -o -name "*-wdth-normal.woff2" -o -name "*-standard-normal.woff2" | xargs rm \
 && strip node_modules/@cloudflare/workerd-*/bin/workerd /usr/local/bin/node

FROM debian:bookworm-slim
ENV NODE_ENV=production
# Gives freed memory back to the system: the server then takes half as much.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY src ./src
COPY migrations ./migrations
COPY docs ./docs
COPY package.json package-lock.json wrangler.toml vite.dashboard.config.ts LICENSE NOTICE ./
# Imports keep what they download and work on below .geodata: mount a disk there for large ones.
RUN useradd --create-home node && mkdir /data .geodata && chown node:node /data .geodata
USER node
VOLUME ["/data", "/app/.geodata"]
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=180s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/v1/ping').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--no-warnings", "src/cli/start.ts", "--host", "0.0.0.0", "--persist-to", "/data"]
