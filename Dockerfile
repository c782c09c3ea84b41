# Graticule on one machine (docs/self-hosting.md):
#
#     docker build -t graticule .
#     docker run -p 8787:8787 -v graticule:/data graticule
#
# One base for all stages, by its digest: .github/dependabot.yml proposes newer ones. Nothing of it is in the image but a few libraries.
FROM node:24-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4 AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The dashboard and the Worker, so that a start builds nothing; nothing reads the source map.
RUN node src/server/start.ts --build && rm dist/server/*.map && chmod -R a+rX dist

# What a server and imports load, without the compilers of the dashboard and the tests. workerd's binary is an optional package of its platform.
FROM base AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# Part of the bundled Worker, of features of Miniflare that we have none of, or of compilers.
RUN rm -r node_modules/icodec node_modules/@resvg node_modules/sharp node_modules/@img node_modules/@typescript node_modules/typescript node_modules/drizzle-orm node_modules/hono node_modules/@modelcontextprotocol node_modules/@simplewebauthn node_modules/@peculiar node_modules/hyparquet-writer node_modules/osrm-text-instructions node_modules/asn1js node_modules/reflect-metadata node_modules/tsyringe
# Forms of packages that nothing loads: for browsers and other module systems, sources, maps of other scales.
RUN rm -r node_modules/workerd/worker.mjs node_modules/miniflare/dist/local-explorer-ui node_modules/miniflare/dist/src/workers/local-explorer node_modules/miniflare/dist/src/plugins/artifacts node_modules/zod/src node_modules/h3-js/dist/browser node_modules/h3-js/dist/h3-js.es.js node_modules/h3-js/dist/h3-js.umd.js node_modules/h3-js/dist/libh3-browser.js node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm
# Read by people, editors and browsers; fonts of other widths; maps of other scales; and the names of functions, which a quarter of workerd is.
RUN find node_modules -name "*.map" -o -name "*.ts" -o -name "*.mts" -o -name "*.cts" -o -name "*.md" -o -name "*.css" -o -name "*.scss" -o -name "*-wdth-normal.woff2" -o -name "*-standard-normal.woff2" -o -name "*-50m.json" -o -name "*-110m.json" -o -name "*-albers-10m.json" | xargs rm \
 && strip node_modules/@cloudflare/workerd-*/bin/workerd /usr/local/bin/node
# The root of the image: the two binaries with their libraries, a shell for the guards of backups and of workerd, certificates, a user.
RUN mkdir -p /image/bin /image/etc /image/usr/local/bin /image/app/.geodata /image/data /image/home/node && mkdir -m 1777 /image/tmp \
 && cp /usr/local/bin/node /image/usr/local/bin/node && cp /bin/dash /image/bin/sh && cp /bin/cat /image/bin/cat \
 && ldd /usr/local/bin/node node_modules/@cloudflare/workerd-*/bin/workerd /bin/dash /bin/cat | grep -o "/[^ )]*" | grep -v ":$" | sort -u | xargs -I{} cp --dereference --parents {} /image \
 && cp --dereference --parents /etc/ssl/certs/ca-certificates.crt /etc/nsswitch.conf /image \
 && echo "node:x:1000:1000::/home/node:/bin/sh" > /image/etc/passwd && echo "node:x:1000:" > /image/etc/group \
 && chown -R 1000:1000 /image/data /image/app/.geodata /image/home/node

FROM scratch
ENV NODE_ENV=production PATH=/usr/local/bin:/bin HOME=/home/node
# Gives freed memory back to the system: the server then takes half as much.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=packages /image/ /
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY src ./src
COPY migrations ./migrations
COPY docs ./docs
COPY package.json package-lock.json wrangler.toml vite.dashboard.config.ts LICENSE NOTICE ./
# Imports keep what they download and work on below .geodata: mount a disk there for large ones.
USER node
VOLUME ["/data", "/app/.geodata"]
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=180s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/v1/ping').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--no-warnings", "src/server/start.ts", "--host", "0.0.0.0", "--persist-to", "/data"]
