import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesService } from "../../../src/server/start/files-service.ts";

const root = mkdtempSync(join(tmpdir(), "graticule-files-"));
const folder = join(root, "dashboard");
mkdirSync(join(folder, "assets"), { recursive: true });
for (const [name, text] of [
  ["index.html", "<p>Hello</p>"],
  ["assets/app-1a2b.js", "export {};"],
  ["assets/word ö.svg", "<svg/>"],
  ["assets/glyphs.pbf2", "?"],
])
  writeFileSync(join(folder, name), text);
writeFileSync(join(root, "secret.txt"), "secret");
const serve = filesService(folder);
const ask = (path: string, headers = {}) => serve(new Request(`http://localhost${path}`, { headers }));
afterAll(() => rmSync(root, { recursive: true }));

describe("the files of [assets] in npm start", () => {
  it.each([
    ["/index.html", "text/html; charset=utf-8", "<p>Hello</p>"],
    ["/assets/app-1a2b.js", "text/javascript; charset=utf-8", "export {};"],
    ["/assets/word%20%C3%B6.svg?v=2", "image/svg+xml", "<svg/>"],
    ["/assets/glyphs.pbf2", "application/octet-stream", "?"],
  ])("%s is %s", async (path, type, text) => {
    const response = await ask(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(await response.text()).toBe(text);
  });

  it("a caller that has the file gets 304", async () => {
    const etag = (await ask("/index.html")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await ask("/index.html", { "if-none-match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    for (const list of [`W/${etag}`, `"x", W/${etag}`, "*"])
      expect((await ask("/index.html", { "if-none-match": list })).status).toBe(304);
    const fresh = filesService(folder);
    const first = new Request("http://localhost/index.html", { headers: { "if-none-match": etag } });
    expect((await fresh(first)).status).toBe(304);
    const other = (await ask("/assets/app-1a2b.js")).headers.get("etag");
    expect(other).not.toBe(etag);
    expect((await ask("/index.html", { "if-none-match": other ?? "" })).status).toBe(200);
  });

  it.each([
    "/",
    "/assets",
    "/assets/",
    "/none.js",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%E0%A4%A",
  ])("there is no file %s", async (path) => expect((await ask(path)).status).toBe(404));
});
