import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { S3Objects } from "../../../../src/worker/storage/s3-objects.ts";
import { S3Requests } from "../../../../src/worker/storage/s3-requests.ts";
import { startS3 } from "./s3-server.ts";

let s3: Awaited<ReturnType<typeof startS3>>;
const settings = () => ({
  endpoint: s3.endpoint,
  bucket: "maps",
  region: "auto",
  accessKeyId: "me",
  secretAccessKey: "secret",
});
const store = (more = {}) => new S3Objects({ ...settings(), ...more }, { patience: 150, pause: 1 });

async function textOf(found: Awaited<ReturnType<S3Objects["get"]>>): Promise<string | undefined> {
  return found && "text" in found ? found.text() : undefined;
}

beforeAll(async () => {
  s3 = await startS3("maps");
});
afterEach(() => {
  s3.faults.length = 0;
});
afterAll(() => s3.stop());

describe("a bucket behind S3 that the Worker reads", () => {
  it("gives an object whole, or the bytes that were asked for, with the size of all and the same ETag", async () => {
    await store().put("builds/a b/ü+1.bin", "0123456789");
    const whole = await store().get("builds/a b/ü+1.bin");
    const part = await store().get("builds/a b/ü+1.bin", { range: { offset: 3, length: 4 } });
    expect([await textOf(whole), await textOf(part)]).toEqual(["0123456789", "3456"]);
    expect([whole?.size, part?.size, part?.etag === whole?.etag, whole?.etag.includes('"')]).toEqual([
      10,
      10,
      true,
      false,
    ]);
    expect(s3.asked.at(-1)).toBe("GET builds/a b/ü+1.bin bytes=3-6");
    expect(await textOf(await store().get("builds/a b/ü+1.bin", { range: { offset: 8, length: 99 } }))).toBe("89");
    expect((await store().head("builds/a b/ü+1.bin"))?.uploaded).toEqual(new Date("2026-11-23T10:00:00Z"));
  });

  it("says of what is not there that it is not, and of a range behind the end that it is", async () => {
    expect([await store().get("none"), await store().head("none")]).toEqual([null, null]);
    await store().put("short", "12");
    await expect(store().get("short", { range: { offset: 5, length: 1 } })).rejects.toThrow(/range .* after the end/i);
  });

  it("sends no bytes of what is known already, nor of what is another by now", async () => {
    const { etag = "" } = (await store().put("live.json", "1")) ?? {};
    const known = await store().get("live.json", { onlyIf: { etagDoesNotMatch: etag } });
    expect([known?.etag, "arrayBuffer" in (known ?? {})]).toEqual([etag, false]);
    const other = await store().get("live.json", { onlyIf: { etagMatches: "another" } });
    expect([other !== null, "arrayBuffer" in (other ?? {})]).toEqual([true, false]);
  });

  it("writes only if nobody else wrote meanwhile", async () => {
    expect(await store().put("list", "1", { onlyIf: { etagDoesNotMatch: "*" } })).not.toBeNull();
    expect(await store().put("list", "2", { onlyIf: { etagDoesNotMatch: "*" } })).toBeNull();
    const { etag = "" } = (await store().head("list")) ?? {};
    expect(await store().put("list", "3", { onlyIf: { etagMatches: etag } })).not.toBeNull();
    expect(await store().put("list", "4", { onlyIf: { etagMatches: etag } })).toBeNull();
    expect(await textOf(await store().get("list"))).toBe("3");
  });

  it("knows its own write again when only the answer to it was lost", async () => {
    s3.faults.push("is lost");
    expect(await store().put("own", "mine", { onlyIf: { etagDoesNotMatch: "*" } })).toMatchObject({ size: 4 });
    s3.objects.set("other", Buffer.from("theirs"));
    s3.faults.push({ status: 503 });
    expect(await store().put("other", "mine", { onlyIf: { etagDoesNotMatch: "*" } })).toBeNull();
  });

  it("lists page by page, and deletes one or many", async () => {
    for (const n of [1, 2, 3]) await store().put(`custom/3/icons/${n}`, "x".repeat(n));
    const first = await store().list({ prefix: "custom/3/icons/", limit: 2 });
    const second = await store().list({ prefix: "custom/3/icons/", limit: 2, cursor: first.cursor });
    const rows = [...first.objects, ...second.objects].map(({ key, size }) => [key.slice(-1), size]);
    expect([rows, first.truncated, second.truncated]).toEqual([
      [
        ["1", 1],
        ["2", 2],
        ["3", 3],
      ],
      true,
      false,
    ]);
    await store().delete("custom/3/icons/1");
    await store().delete(["custom/3/icons/2", "custom/3/icons/3"]);
    expect((await store().list({ prefix: "custom/3/" })).objects).toEqual([]);
  });
});

describe("a service that stumbles", () => {
  it.each([
    ["is busy twice", [{ status: 503 }, { status: 429 }]],
    ["is slow once", [{ lateMs: 400 }]],
    ["breaks off half-way", ["breaks off" as const]],
    ["hangs up", ["is lost" as const]],
  ])("and %s answers all the same", async (_, faults) => {
    await store().put("patient", "all of it");
    s3.faults.push(...faults);
    expect(await textOf(await store().get("patient"))).toBe("all of it");
    expect(s3.faults).toEqual([]);
  });

  it.each([
    [
      "busy for good",
      { status: 503 },
      /the bucket maps at 127\.0\.0\.1:\d+ does not respond \(it returned 503\), 3 times/,
    ],
    [
      "slow for good",
      { lateMs: 400 },
      /does not respond \(nothing within 0\.15 s\), 3 times\. Is the service running\?/,
    ],
  ])("and is %s is told in a sentence", async (_, fault, sentence) => {
    s3.faults.push(fault, fault, fault);
    await expect(store().get("any")).rejects.toThrow(sentence);
  });
});

describe("a service that refuses", () => {
  it.each([
    [
      { status: 403, code: "AccessDenied" },
      /rejects these credentials \(AccessDenied\) to GET any\. They need to read/,
    ],
    [{ status: 403, code: "RequestTimeTooSkewed" }, /this machine's clock is wrong/],
    [{ status: 301, code: "PermanentRedirect" }, /in another region.*AWS_REGION/],
    [{ status: 400, code: "AuthorizationHeaderMalformed" }, /in another region.*AWS_REGION/],
    [{ status: 507, code: "XMinioStorageFull" }, /is full \(XMinioStorageFull\)\. Free up space/],
    [{ status: 418, code: "Odd" }, /returned 418 \(Odd\) for GET any/],
  ])("is told with what to do: %j", async (fault, sentence) => {
    s3.faults.push(fault);
    await expect(store().get("any")).rejects.toThrow(sentence);
    expect(s3.faults).toEqual([]);
  });

  it("or has no such bucket, or knows another key, or is not there, is too", async () => {
    await expect(store({ bucket: "mapz" }).get("any")).rejects.toThrow(/There is no bucket mapz at .*Create it/);
    await expect(store({ accessKeyId: "you" }).put("any", "1")).rejects.toThrow(/rejects these credentials/);
    await expect(store({ endpoint: "http://127.0.0.1:1" }).get("any")).rejects.toThrow(
      /does not respond \(.*\), 3 times/,
    );
  });
});

describe("a service that falls silent", () => {
  /** Answers with pieces, each after a time [ms]. */
  async function answering(waits: readonly number[]): Promise<Server> {
    const server = createServer(async (request, response) => {
      for await (const _ of request);
      for (const wait of waits) {
        await sleep(wait);
        if (response.destroyed) return;
        response.write("piece ");
      }
      response.end();
    });
    return new Promise((up) => server.listen(0, "127.0.0.1", () => up(server)));
  }

  it.each([
    ["is slow, but goes on", [50, 50, 50, 50, 50, 50], "", undefined],
    ["says nothing", [5000], "", /nothing within 0\.15 s\), 2 times/],
    ["says nothing more", [0, 5000], "", /nothing within 0\.15 s\), 2 times/],
    ["takes long for a large body", [400], "x".repeat(3000), undefined],
    ["takes longer than any body does", [5000], "x".repeat(500), /nothing within 0\.15 s\), 2 times/],
  ])("and %s", async (_, waits, body, failure) => {
    const server = await answering(waits);
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const requests = new S3Requests(
      { ...settings(), endpoint },
      { patience: 60_000, silence: 150, tries: 2, pause: 1 },
    );
    const began = performance.now();
    try {
      const sent = requests.send({ method: "PUT", key: "a", body: new TextEncoder().encode(body) });
      if (failure) await expect(sent).rejects.toThrow(failure);
      else expect(new TextDecoder().decode((await sent).bytes)).toBe("piece ".repeat(waits.length));
      expect(performance.now() - began).toBeLessThan(4000);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
