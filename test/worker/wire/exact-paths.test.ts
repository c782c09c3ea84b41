import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ExactPaths, type Handler } from "../../../src/worker/http/serve/exact-paths.ts";

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
  ["GET", "/v1/things/:id/parts", text(({ id }) => `parts of ${id}`)],
  ["GET", "/v1/things/:kind/:name", text(({ kind, name }) => `${name} of ${kind}`)],
  ["DELETE", "/v1/things/:kind/:name", text(({ kind, name }) => `deleted ${name} of ${kind}`)],
  ["GET", "/tiles/:z/:x/:y", text(({ z, x, y }) => `${z} ${x} ${y}`)],
  ["GET", "/files/:name{[a-z]+}", text(({ name }) => `file ${name}`)],
  ["GET", "/files/:any", text(({ any }) => `any ${any}`)],
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

describe("paths", () => {
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
    ["GET", "/v1/things/a/parts"],
    ["GET", "/v1/things/a/parts?x=/y"],
    ["GET", "/v1/things/a/b"],
    ["GET", "/v1/things/a%2Fb/c"],
    ["GET", "/v1/things/a%20b"],
    ["GET", "/v1/things/a/"],
    ["GET", "/v1/things//b"],
    ["GET", "/v1/things/"],
    ["HEAD", "/v1/things/a"],
    ["PUT", "/v1/things/a"],
    ["DELETE", "/v1/things/a/parts"],
    ["GET", "/tiles/3/4/5.png"],
    ["GET", "/tiles/3/4/5@2x.png?key=1"],
    ["GET", "/tiles/3/4"],
    ["GET", "/files/a"],
    ["GET", "/files/9"],
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
