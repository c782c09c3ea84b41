import { Hono } from "hono";
import { publicOrigin } from "../serve/connection.ts";
import { securityHeaders } from "../serve/security-headers.ts";

/** The part of the ASSETS binding that is used here. */
export interface Assets {
  fetch(url: URL, init?: { headers: Record<string, string> }): Promise<Response>;
}

interface Site {
  ASSETS: Assets;
  PUBLIC_URL?: string;
  TRUSTED_PROXIES?: string;
}

/** Content security policy of the documentation: its own files, and responses of this server. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The guides, which the build writes next to the dashboard's files (src/server/docs):
 *
 *   /docs/guides         all of them
 *   /docs/trips          one
 *   /docs/trips.md       the same as Markdown, for programs
 *   /llms.txt            their list for language models, with complete URLs
 *   /docs/files/docs.js  files that the pages and the reference load
 */
export function guidePages(): Hono<{ Bindings: Site }> {
  const app = new Hono<{ Bindings: Site }>();
  app.get("/docs/", ({ env }) => {
    const headers = { location: "/docs", ...securityHeaders(env) };
    return new Response(null, { status: 302, headers });
  });
  app.get("/llms.txt", async ({ env, req }, next) => {
    const found = await env.ASSETS.fetch(new URL("/docs/llms.txt", req.url));
    if (!found.ok) {
      await found.body?.cancel();
      return next();
    }
    const text = (await found.text()).replaceAll("](/", `](${publicOrigin(req.raw, env)}/`);
    return new Response(text, { headers: { ...plainText("text/plain"), ...securityHeaders(env) } });
  });
  app.get("/docs/*", async (context, next) => {
    const { pathname } = new URL(context.req.url);
    const [, name, end, file] = /^\/docs\/([\w-]+)(?:(\.md)|(\/[\w.@-]+))?$/.exec(pathname) ?? [];
    if (!name || (file && name !== "files")) return next();
    const path = file ? `/docs/files${file}` : `/docs/${name}${end ?? ".html"}`;
    const known = context.req.header("if-none-match");
    const found = await context.env.ASSETS.fetch(
      new URL(path, context.req.url),
      known ? { headers: { "if-none-match": known } } : undefined,
    );
    if (!found.ok && found.status !== 304) {
      await found.body?.cancel();
      return next();
    }
    const answer = new Response(found.body, found);
    answer.headers.set("cache-control", "public, max-age=0, must-revalidate");
    for (const [name, value] of Object.entries(securityHeaders(context.env))) answer.headers.set(name, value);
    if (end) {
      for (const [name, value] of Object.entries(plainText("text/markdown"))) answer.headers.set(name, value);
    } else if (!file) {
      answer.headers.set("content-type", "text/html; charset=utf-8");
      answer.headers.set("content-security-policy", DOCS_POLICY);
      answer.headers.set("x-frame-options", "DENY");
    }
    return answer;
  });
  return app;
}

/** Headers of a text for programs, which pages of any origin may read too. */
const plainText = (type: "text/plain" | "text/markdown") => ({
  "content-type": `${type}; charset=utf-8`,
  "cache-control": "public, max-age=0, must-revalidate",
  "access-control-allow-origin": "*",
});
