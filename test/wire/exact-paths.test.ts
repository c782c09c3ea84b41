import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ExactPaths, type Handler } from "../../src/http/serve/exact-paths.ts";

const text =
  (say: (params: Readonly<Record<string, string>>) => string, status = 200): Handler<object> =>
  (_request, _env, _execution, params) =>
    new Response(say(params), { status });

/** The same routes in the order of the API: patterns, exact paths, and what else there is of a path. */
const ROUTES: [method: string, path: string, handler: Handler<object>][] = [
  ["GET", "/v1/ping", text(() => "ping")],
  ["GET", "/v1/ping", text(() => "ping again")],
  ["GET", "/v1/things/:id", text(({ id }) => `thing ${id}`)],
  ["GET", "/v1/things/late", text(() => "late")],
  ["POST", "/v1/things/late", text(() => "posted")],
];

function rest(hono: Hono): void {
  hono.options("*", (context) => context.text("preflight"));
  hono.get("/pages/*", (context) => context.text("page"));
  hono.all("/v1/ping", (context) => context.text("405", 405));
}

const execution = { waitUntil() {} };

const ours = new ExactPaths<object, typeof execution>();
for (const route of ROUTES) ours.on(...route);
rest(ours.hono as never);

const theirs = new Hono();
for (const [method, path, handler] of ROUTES)
  theirs.on(method, path, ({ req }) => handler(req.raw, {}, execution, req.param()));
rest(theirs);

describe("paths without parameters", () => {
  it.each([
    ["GET", "/v1/ping"],
    ["GET", "/v1/ping?a=/v1/things/late"],
    ["GET", "/v1/p%69ng"],
    ["HEAD", "/v1/ping"],
    ["DELETE", "/v1/ping"],
    ["OPTIONS", "/v1/ping"],
    ["GET", "/v1/ping/"],
    ["GET", "//v1/ping"],
    ["GET", "/v1/things/7"],
    ["GET", "/v1/things/late"],
    ["POST", "/v1/things/late"],
    ["GET", "/pages/a/b"],
    ["GET", "/none"],
    ["GET", "/"],
    ["GET", "?v1"],
  ])("are answered as Hono alone does: %s %s", async (method, path) => {
    const request = () => new Request(`http://h${path}`, { method });
    const [our, their] = [
      await ours.fetch(request(), {}, execution),
      await theirs.fetch(request(), {}, execution as never),
    ];
    expect([our.status, await our.text()]).toEqual([their.status, await their.text()]);
  });
});
