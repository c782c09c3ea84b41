import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { mintSecret, SECRET_BYTES, signedHeaders } from "../../../src/core/webhooks/signature.ts";
import { CHAPTER_TEXTS } from "../../../src/worker/http/reference/docs-chapters.ts";

/** The code that the documentation tells receivers to use, run as it stands there. */

const secret = mintSecret(new Uint8Array(SECRET_BYTES).fill(7));
const other = mintSecret(new Uint8Array(SECRET_BYTES).fill(8));
const body = JSON.stringify({ event: { _id: "e1", type: "user.entered_geofence", note: "Café 🚲" } });
const message = { id: "e1", body };

describe("the receiver of the README", () => {
  it("takes what is ours once, and nothing else", async () => {
    const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
    const code = [...readme.matchAll(/```js\n([\s\S]*?)```/g)]
      .map(([, text]) => text)
      .find((text) => text.includes("createServer"));
    const anyPort = code?.replace(
      "listen(3000)",
      "listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
    );
    const child = spawn(process.execPath, ["--input-type=module", "-e", anyPort ?? ""], {
      env: { ...process.env, WEBHOOK_SECRET: secret },
    });
    try {
      const lines: string[] = [];
      const port = await new Promise<string>((resolve, reject) => {
        createInterface(child.stdout).on("line", (line) =>
          lines.length === 0 && /^\d+$/.test(line) ? resolve(line) : lines.push(line),
        );
        child.stderr.once("data", (text) => reject(new Error(String(text))));
      });
      const send = async (secrets: string[], now = Date.now(), text = body) => {
        const headers = await signedHeaders(secrets, message, "x", now);
        return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text })).status;
      };
      expect(await send([secret])).toBe(204);
      expect(await send([other, secret])).toBe(204);
      expect(await send([other])).toBe(401);
      expect(await send([secret], Date.now() - 3_600_000)).toBe(401);
      expect(await send([secret], Date.now(), `${body} `)).toBe(401);
      expect((await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })).status).toBe(401);
      expect(lines).toEqual(["user.entered_geofence"]);
    } finally {
      child.kill();
    }
  });
});

describe("the check of /docs", () => {
  it("knows what is ours, old, changed or another's", async () => {
    const [, html] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(CHAPTER_TEXTS.Webhooks) ?? [];
    const code = html.replace(/&gt;/g, ">").replace(/&lt;/g, "<").replace(/&amp;/g, "&");
    const module = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { isGenuine };`)}`);
    const check = async (secrets: string[], now = Date.now(), text = body) =>
      module.isGenuine(await signedHeaders(secrets, message, "x", now), text, secret);
    expect(await check([secret])).toBe(true);
    expect(await check([other, secret])).toBe(true);
    expect(await check([other])).toBe(false);
    expect(await check([secret], Date.now() - 3_600_000)).toBe(false);
    expect(await check([secret], Date.now(), `${body} `)).toBe(false);
  });

  it("tells the schedule as it is", () => {
    expect(CHAPTER_TEXTS.Webhooks).toContain(
      "Immediately, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h",
    );
  });
});
