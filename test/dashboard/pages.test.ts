import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { dashboardPages } from "../../src/worker/http/dashboard/pages.ts";

/** What is shown where, of a build with these files. */
const BUILT: Record<string, string> = {
  "/index.html": "<!doctype html>app",
  "/share.html": "<!doctype html>share",
  "/assets/main-Bx1.js": "main()",
  "/icon.svg": "<svg/>",
};

function worker(files: Record<string, string>) {
  const app = new Hono();
  app.route("/", dashboardPages());
  app.notFound((context) => context.json({ meta: { code: 404 } }, 404));
  const ASSETS = {
    async fetch(input: URL, { headers }: { headers: Record<string, string> }) {
      const body = files[input.pathname];
      if (body === undefined) return new Response("nothing", { status: 404 });
      const etag = `"${body.length}"`;
      const isKnown = headers["if-none-match"] === etag;
      return new Response(isKnown ? null : body, {
        status: isKnown ? 304 : 200,
        headers: { etag, "x-from": "assets" },
      });
    },
  };
  return (path: string, headers: Record<string, string> = {}) =>
    app.request(`https://maps.example.com${path}`, { headers }, { ASSETS } as never);
}
const built = worker(BUILT);
const bare = worker({});
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the root", () => {
  it("leads a browser to the dashboard, or to the reference where none is built", async () => {
    const [there, none] = [await built("/", BROWSER), await bare("/", BROWSER)];
    expect([there.status, there.headers.get("location")]).toEqual([302, "/dashboard/"]);
    expect([none.status, none.headers.get("location")]).toEqual([302, "/docs"]);
  });

  it.each<Record<string, string>>([{}, { accept: "*/*" }, { accept: "application/json" }])(
    "tells programs with %j what it always told",
    async (headers) => {
      const answer = await built("/", headers);
      expect([answer.status, await answer.json()]).toEqual([404, { meta: { code: 404 } }]);
    },
  );
});

describe("the app", () => {
  it.each([
    "/dashboard/",
    "/dashboard/1/live/users",
    "/dashboard/1/test/map?at=1,2",
    "/dashboard/1/test/users/jane.doe",
  ])("is at %s, asked about again each time", async (path) => {
    const answer = await built(path);
    expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html>app"]);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    const again = await built(path, { "if-none-match": String(answer.headers.get("etag")) });
    expect([again.status, again.headers.get("cache-control")]).toEqual([304, "no-cache"]);
  });

  it("runs no script that is not a file of its own, and stands in nobody's frame", async () => {
    for (const path of ["/dashboard/", "/share/"]) {
      const { headers } = await built(path);
      const policy = String(headers.get("content-security-policy"));
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("worker-src 'self' blob:");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  it("without a slash at its end leads to the one with it", async () => {
    const answer = await built("/dashboard?x=1");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dashboard/"]);
  });

  it("that is not built says so, on pages with the same headers", async () => {
    const answer = await bare("/dashboard/1/test");
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("is not built")]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("its files", () => {
  it("with a hash in their name are kept for ever, others are asked about again", async () => {
    const hashed = await built("/dashboard/assets/main-Bx1.js");
    expect([await hashed.text(), hashed.headers.get("cache-control")]).toEqual([
      "main()",
      "public, max-age=31536000, immutable",
    ]);
    const icon = await built("/dashboard/icon.svg");
    expect([icon.status, icon.headers.get("cache-control")]).toEqual([200, "public, max-age=0, must-revalidate"]);
    for (const { headers } of [hashed, icon]) expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    "/dashboard/assets/gone-Xy2.js",
    "/dashboard/index.html",
    "/dashboard/share.html",
    "/dashboard/api/nothing",
    "/assets/main-Bx1.js",
  ])("do not include %s: a page in the place of a script would be kept as one", async (path) => {
    expect((await built(path)).status).toBe(404);
  });
});

describe("the page behind a share link", () => {
  it("is a page of its own where there is one", async () => {
    for (const path of ["/share", "/share/", "/share/x"])
      expect(await (await built(path)).text()).toBe("<!doctype html>share");
    const { "/share.html": _, ...without } = BUILT;
    expect(await (await worker(without)("/share/")).text()).toBe("<!doctype html>app");
  });
});
