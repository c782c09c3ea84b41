import { readdirSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { GUIDES, readGuides } from "../../../../src/server/docs/build-docs.ts";
import { markdownOf } from "../../../../src/server/docs/guide-markdown.ts";

const read = async (path: string) => {
  const response = await fetch(path.startsWith("http") ? path : `${inject("baseUrl")}${path}`);
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

it("GET /llms.txt lists every guide, each of which is there as Markdown with examples as curl", async () => {
  const index = await read("/llms.txt");
  expect([index.status, index.type]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(index.text).toMatch(/^# Graticule\n\n> /);
  const links = [...index.text.matchAll(/\]\((\S+?)\)/g)].map(([, link]) => link);
  expect(links.every((link) => link.startsWith(inject("baseUrl")))).toBe(true);
  const guides = links.filter((link, i) => link.endsWith(".md") && links.indexOf(link) === i);
  expect(guides.length).toBe(readGuides().length);
  expect(guides.length).toBeGreaterThanOrEqual(readdirSync(GUIDES).filter((name) => name.endsWith(".md")).length);
  for (const link of guides) {
    const { status, type, text } = await read(link);
    expect([link, status, type]).toEqual([link, 200, "text/markdown; charset=utf-8"]);
    expect(text).toMatch(/^# \S/);
    expect(text).not.toMatch(/<!--|^```http|^```json answer|^<div/m);
    for (const [, path] of text.matchAll(/\]\((\/docs\/[\w.-]+)/g)) {
      if (path.startsWith("/docs/files")) continue;
      expect(guides).toContain(`${inject("baseUrl")}${path}`);
    }
  }
  expect((await read("/docs/getting-started.md")).text).toContain('```sh\ncurl -X PUT "$HOST/v1/geofences/');
  expect((await read("/docs/nothing.md")).status).toBe(404);
});

it("Markdown of a guide has no marks of the pages", () => {
  const source = [
    ...["<!-- group: Start · order: 1 -->", "# A", "", '<div id="b"></div>', "", "[B](/docs/b#c) ![](pictures/x.png)"],
    ...["```http secret", "GET /v1/users", "```", "```json answer only=a", "{}", "```", "```js", "x", "```", ""],
  ].join("\n");
  expect(markdownOf(source)).toBe(
    '# A\n\n[B](/docs/b.md#c) ![](/docs/files/x.png)\n```sh\ncurl "$HOST/v1/users" \\\n  -H "Authorization: $SECRET"\n```\n' +
      "Response, shortened:\n\n```json\n{}\n```\n```js\nx\n```\n",
  );
});
