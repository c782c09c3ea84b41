import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";

const root = resolve(import.meta.dirname, "src/dashboard");

/** The pages that are documents of their own: the dashboard, and what a share link opens. */
const documents = ["index.html", "share.html"].map((name) => resolve(root, name)).filter((path) => existsSync(path));

/** Where the Worker answers while the app is worked on (`npm run dashboard`). */
const worker = process.env.GRATICULE_URL ?? "http://127.0.0.1:8787";

/** Not the parts that load a library of their own. */
const SHARED =
  /src\/dashboard\/(api|base\/|forms|frame\/(?!app\.|pages\.)|parts|table)(?!.*(chart|color-field|passkeys)\.(tsx|css)$)|src\/core\/auth\/role|node_modules\/(preact|lucide)\//;

/** The dashboard, below /dashboard/ of the Worker. */
export default defineConfig({
  root,
  base: "/dashboard/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: resolve(import.meta.dirname, "dist/dashboard"),
    emptyOutDir: true,
    target: "es2022",
    // The licenses of all code that is bundled, served beside it (/dashboard/licenses.md).
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: documents,
      // What most pages use is loaded with the first one: many small files cost more than their bytes.
      output: { codeSplitting: { groups: [{ name: "parts", test: SHARED }] } },
    },
    // MapLibre alone is larger than the bound; the sizes that count are tested.
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ["/v1", "/maps", "/docs", "/openapi.json", "/dashboard/api"].map((path) => [path, { target: worker }]),
    ),
  },
});
