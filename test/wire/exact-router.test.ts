import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ExactRouter } from "../../src/http/serve/exact-router.ts";

/** The same routes in the order of the API: patterns, exact paths, and what else there is of a path. */
function app(router?: ExactRouter<never>) {
  const app = new Hono(router ? { router } : {});
  app.get("/v1/ping", (context) => context.text("ping"));
  app.get("/v1/things/:id", (context) => context.text(`thing ${context.req.param("id")}`));
  app.get("/v1/things/late", (context) => context.text("late"));
  app.post("/v1/things/late", (context) => context.text("posted"));
  app.options("*", (context) => context.text("preflight"));
  app.get("/pages/*", (context) => context.text("page"));
  app.all("/v1/ping", (context) => context.text("405", 405));
  return app;
}

describe("the router of exact paths", () => {
  it.each([
    ["GET", "/v1/ping"],
    ["HEAD", "/v1/ping"],
    ["DELETE", "/v1/ping"],
    ["OPTIONS", "/v1/ping"],
    ["GET", "/v1/ping/"],
    ["GET", "/v1/things/7"],
    ["GET", "/v1/things/late"],
    ["POST", "/v1/things/late"],
    ["GET", "/pages/a/b"],
    ["GET", "/none"],
  ])("answers %s %s as Hono's own does", async (method, path) => {
    const [ours, theirs] = await Promise.all(
      [app(new ExactRouter()), app()].map((one) => one.request(path, { method })),
    );
    expect([ours.status, await ours.text()]).toEqual([theirs.status, await theirs.text()]);
  });
});
