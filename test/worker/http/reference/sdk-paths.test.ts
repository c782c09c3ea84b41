import { expect, inject, it } from "vitest";
import { SDK_PATHS } from "../../../../src/worker/http/reference/sdk-paths.ts";
import { call } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

it("every path that the SDKs call is there, with that method, and is open to publishable keys", async () => {
  const { keys } = await openWorld();
  const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
  expect(SDK_PATHS.length).toBeGreaterThan(25);
  for (const { method, path } of SDK_PATHS) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation) expect([path, operation["x-key-level"]]).toEqual([path, expect.stringMatching(/publishable|open/)]);
    const { status, body } = await call(method, path.replace(/\{\w+\}/g, "nothing"), {
      key: keys.testPublishable,
      ...(method !== "GET" && { json: {} }),
    });
    const unknown = status === 405 || (status === 404 && /no such path/.test(body?.meta?.message ?? ""));
    expect([method, path, unknown || status === 403]).toEqual([method, path, false]);
  }
});
