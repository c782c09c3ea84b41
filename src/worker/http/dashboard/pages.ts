import { Hono } from "hono";
import { securityHeaders } from "../serve/security-headers.ts";

/** The part of the ASSETS binding that is used here. */
interface Assets {
  fetch(url: URL, init: { headers: Record<string, string> }): Promise<Response>;
}

/** The part of the environment that is used here. */
interface Site {
  ASSETS: Assets;
  PUBLIC_URL?: string;
}

/**
 * Serves the dashboard's files, which Vite builds into dist/dashboard:
 *
 *   /                    redirects a browser to /dashboard/, or to /docs if no dashboard is built
 *   /dashboard/assets/…  files with a hash in their name, cached forever
 *   /dashboard/x.svg     other files, revalidated at each use
 *   /dashboard/…         the app, for every route
 *   /share/…             the page of a share link: share.html if it exists, otherwise the app
 */
export function dashboardPages(): Hono<{ Bindings: Site }> {
  const app = new Hono<{ Bindings: Site }>();
  app.get("/", async (context, next) => {
    if (!wantsPage(context.req.raw)) return next();
    const built = await fileOf(context.env, "/index.html", context.req.raw);
    await built?.body?.cancel();
    return redirect(context.env, context.req.raw, built ? "/dashboard/" : "/docs");
  });
  app.get("/dashboard", (context) => redirect(context.env, context.req.raw, "/dashboard/"));
  app.get("/dashboard/*", async (context, next) => {
    const path = context.req.path.slice("/dashboard".length);
    if (path.startsWith("/api/")) return next();
    const { raw: request } = context.req;
    // A route has several segments, and the last can look like a file name: /1/test/users/jane.doe
    if (path.startsWith("/assets/") || /^\/[^/]+\.\w+$/.test(path))
      return (await asset(context.env, path, request)) ?? next();
    return page(context.env, ["/index.html"], request);
  });
  for (const path of ["/share", "/share/*"])
    app.get(path, (context) => page(context.env, ["/share.html", "/index.html"], context.req.raw));
  return app;
}

/**
 * Content security policy of our pages: their own files and data, and the worker that MapLibre creates from a blob. No script or
 * style inside the page, and no frame around it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self' blob:",
  "child-src blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), payment=()",
};

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Graticule</title></head><body>
<h1>The dashboard is not built</h1>
<p><code>npm run dev</code> and <code>npm run deploy</code> build it. The <a href="/docs">reference</a> of the API is here.</p>
</body></html>`;

/** Returns the first of the pages that exists in the build. */
async function page(site: Site, paths: readonly string[], request: Request): Promise<Response> {
  for (const path of paths) {
    const file = await fileOf(site, path, request);
    if (file) return answer(site, file, PAGE_HEADERS);
  }
  return new Response(NOT_BUILT, { status: 404, headers: { ...PAGE_HEADERS, ...securityHeaders(site) } });
}

async function asset(site: Site, path: string, request: Request): Promise<Response | undefined> {
  // Each page has one URL, with the headers of pages.
  if (path.endsWith(".html")) return undefined;
  const file = await fileOf(site, path, request);
  const isHashed = path.startsWith("/assets/");
  return (
    file &&
    answer(site, file, {
      "cache-control": isHashed ? "public, max-age=31536000, immutable" : "public, max-age=0, must-revalidate",
    })
  );
}

/** A file of the build, or 304 if the caller has it; undefined if there is none. */
async function fileOf({ ASSETS }: Site, path: string, request: Request): Promise<Response | undefined> {
  const known = request.headers.get("if-none-match");
  const file = await ASSETS.fetch(new URL(path, request.url), { headers: known ? { "if-none-match": known } : {} });
  if (file.ok || file.status === 304) return file;
  await file.body?.cancel();
  return undefined;
}

function answer(site: Site, file: Response, headers: Record<string, string>): Response {
  const response = new Response(file.body, file);
  for (const [name, value] of Object.entries({ ...headers, ...securityHeaders(site) }))
    response.headers.set(name, value);
  return response;
}

function redirect(site: Site, request: Request, path: string): Response {
  return new Response(null, {
    status: 302,
    headers: {
      location: new URL(path, request.url).pathname,
      "cache-control": "no-cache",
      vary: "Accept",
      ...securityHeaders(site),
    },
  });
}

/** Whether the request accepts HTML, as browsers do. Others get the JSON of an unknown path. */
function wantsPage({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}
