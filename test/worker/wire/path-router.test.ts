import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, it } from "vitest";
import { PathRouter } from "../../../src/worker/http/serve/path-router.ts";
import { seededRandom } from "../../bench/support/random.ts";

/** In the order of the API: patterns, exact paths, and what else Hono can match. */
const ROUTES: [method: string, path: string][] = [
  ["GET", "/v1/ping"],
  ["GET", "/v1/ping"],
  ["GET", "/v1/things/:id"],
  ["GET", "/v1/things/late"],
  ["POST", "/v1/things/late"],
  ["GET", "/v1/things/:id/parts"],
  ["GET", "/v1/things/:kind/:name"],
  ["DELETE", "/v1/things/:kind/:name"],
  ["GET", "/tiles/:z/:x/:y"],
  ["GET", "/files/:name{[a-z]+}"],
  ["GET", "/files/:any"],
  ["GET", "/twice/:id/:id"],
  ["GET", "/optional/:id?"],
  ["OPTIONS", "*"],
  ["GET", "/pages/*"],
  ["GET", "/pages/:id/late"],
  ["GET", "/"],
  ["ALL", "/v1/ping"],
  ["ALL", "/v1/things/:id"],
];

/** What handles a request, with its parameters: every handler passes on to the next one that matches. */
function chain(router: PathRouter<never> | TrieRouter<never>) {
  const app = new Hono<{ Variables: { passed: string[] } }>({ router });
  for (const [i, [method, path]] of ROUTES.entries()) {
    app.on(method, path, async (context, next) => {
      const passed = [...(context.get("passed") ?? []), `${i} ${JSON.stringify(context.req.param())}`];
      context.set("passed", passed);
      await next();
      if (!context.finalized) context.res = context.text(passed.join("; "));
    });
  }
  app.notFound((context) => context.text((context.get("passed") ?? ["none"]).join("; "), 404));
  return app;
}

const [ours, theirs] = [chain(new PathRouter()), chain(new TrieRouter())];

async function bothOf(method: string, path: string): Promise<[ours: unknown[], theirs: unknown[]]> {
  const of = async (app: typeof ours) => {
    const response = await app.fetch(new Request(`http://h${path}`, { method }));
    return [response.status, await response.text()];
  };
  return [await of(ours), await of(theirs)];
}

describe("the router of paths", () => {
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
    ["GET", "/v1/things/%E4%BD%A0/c"],
    ["GET", "/v1/things/%zz/c"],
    ["GET", "/v1/things/100%25"],
    ["GET", "/v1/things/a/"],
    ["GET", "/v1/things//b"],
    ["GET", "/v1/things/"],
    ["GET", "/v1/things/__proto__"],
    ["HEAD", "/v1/things/a"],
    ["PUT", "/v1/things/a"],
    ["DELETE", "/v1/things/a/parts"],
    ["GET", "/tiles/3/4/5.png"],
    ["GET", "/tiles/3/4/5@2x.png?key=1"],
    ["GET", "/tiles/3/4"],
    ["GET", "/files/a"],
    ["GET", "/files/9"],
    ["GET", "/twice/a/b"],
    ["GET", "/optional"],
    ["GET", "/optional/a"],
    ["GET", "/pages"],
    ["GET", "/pages/a/b"],
    ["GET", "/pages/a/late"],
    ["GET", "/none"],
    ["GET", "/"],
    ["GET", "?v1"],
  ])("matches what Hono's own does, in the same order: %s %s", async (method, path) => {
    // Twice: results of exact paths are kept.
    for (let i = 0; i < 2; i++) {
      const [our, their] = await bothOf(method, path);
      expect(our).toEqual(their);
    }
  });

  it("matches what Hono's own does on 3,000 random paths", async () => {
    const random = seededRandom(51);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    const words = [
      "v1",
      "ping",
      "things",
      "late",
      "parts",
      "tiles",
      "files",
      "pages",
      "twice",
      "optional",
      "a",
      "9",
      "",
    ];
    for (let i = 0; i < 3000; i++) {
      const path = Array.from({ length: 1 + Math.floor(random() * 5) }, () => `/${pick(words)}`).join("");
      const [our, their] = await bothOf(pick(["GET", "POST", "DELETE", "HEAD", "PUT"]), path);
      expect([path, our]).toEqual([path, their]);
    }
  });

  it("matches routes that are added after a first request", () => {
    const router = new PathRouter<string>();
    router.add("GET", "/a", "first");
    expect(router.match("GET", "/a")[0].map(([handler]) => handler)).toEqual(["first"]);
    router.add("GET", "/a", "second");
    expect(router.match("GET", "/a")[0].map(([handler]) => handler)).toEqual(["first", "second"]);
    expect(router.match("GET", "/b")[0]).toEqual([]);
  });
});
