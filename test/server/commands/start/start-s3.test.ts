import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openS3Bucket } from "../../../../src/importer/publish/s3-bucket.ts";
import { geodataS3 } from "../../../../src/server/geodata/geodata-s3.ts";
import { publishWorld } from "../../../support/worlds/kept-worlds.ts";
import { startS3 } from "../backup/s3-server.ts";
import { anyPort, finished, runCli } from "../dev-process.ts";
import { scratchFolder } from "../scratch.ts";
import { type Running, startProcess } from "./start-process.ts";

const folder = scratchFolder();
const state = join(folder, "state");
let s3: Awaited<ReturnType<typeof startS3>>;
let port: number;
let server: Running;

const environment = (more: Record<string, string> = {}) => ({
  GEODATA_BUCKET: "s3://maps",
  AWS_ACCESS_KEY_ID: "me",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL: s3.endpoint,
  ...more,
});
const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: JSON.parse(readFileSync(join(state, "keys.json"), "utf8")).testSecret },
  });
const countryOf = async (coordinates: string) =>
  (await (await ask(`/v1/context?coordinates=${coordinates}`)).json()).context.country?.code;
const command = (script: string, args: string[], more: Record<string, string> = {}) =>
  finished(runCli(script, args, environment(more)));

beforeAll(async () => {
  s3 = await startS3("maps");
  port = await anyPort();
  const settings = geodataS3(environment());
  if (!settings) throw new Error("no bucket");
  // Many small objects: laid there, not sent.
  const bucket = openS3Bucket(settings);
  bucket.putMany = async (objects) => {
    for await (const { key, bytes } of objects) s3.objects.set(key, Buffer.from(bytes));
  };
  await publishWorld("world", bucket);
  server = await startProcess(state, port, [], environment());
}, 300_000);
afterAll(async () => {
  server?.process.kill("SIGTERM");
  await server?.left;
  await s3?.stop();
});

describe("npm start with a bucket behind S3", { timeout: 90_000 }, () => {
  it("reads the world from there, by ranges where an object is large, and keeps none of it on the disk", async () => {
    expect(await countryOf("48.8566,2.3522")).toBe("FR");
    expect((await ask("/maps/static?center=48.86,2.35&zoom=4&width=200&height=200")).status).toBe(200);
    expect(s3.asked.some((line) => /^GET builds\/.*basemap.* bytes=\d+-\d+$/.test(line))).toBe(true);
    const disk = join(state, "v3/r2");
    const files = existsSync(disk) ? readdirSync(disk, { recursive: true, encoding: "utf8" }) : [];
    expect(files.filter((name) => name.includes("blobs/"))).toEqual([]);
  });

  it("keeps what customers upload there, lists it, and deletes it", async () => {
    const body = JSON.stringify({ version: 8, sources: { protomaps: {} }, layers: [] });
    expect((await ask("/v1/maps/styles/own", { method: "PUT", body })).status).toBe(200);
    expect([...s3.objects.keys()].filter((key) => key.startsWith("custom/"))).toEqual([
      expect.stringMatching(/^custom\/\d+\/styles\/own$/),
    ]);
    expect((await (await ask("/v1/maps/styles")).json()).styles).toMatchObject([{ _id: "own" }]);
    const backup = await command("backup.ts", [join(folder, "backup"), "--persist-to", state]);
    expect(backup).toEqual({ code: 0, output: expect.stringContaining("1 icons and styles") });
    expect((await ask("/v1/maps/styles/own", { method: "DELETE" })).status).toBe(200);
    expect([...s3.objects.keys()].some((key) => key.startsWith("custom/"))).toBe(false);
  });

  it("brings icons and styles of a backup back into the bucket, which must not be in use", async () => {
    const settings = geodataS3(environment());
    if (!settings) throw new Error("no bucket");
    const args = [join(folder, "backup"), "--persist-to", join(folder, "restored")];
    await openS3Bucket(settings).put("custom/3/styles/other", Buffer.from("theirs"));
    const used = await command("restore.ts", args);
    expect(used).toEqual({ code: 1, output: expect.stringMatching(/the bucket maps is in use.*--force/) });
    const forced = await command("restore.ts", [...args, "--force"]);
    expect(forced.code, forced.output).toBe(0);
    expect([...s3.objects.keys()].filter((key) => key.startsWith("custom/"))).toEqual([
      expect.stringMatching(/^custom\/\d+\/styles\/own$/),
    ]);
  });

  it("lists builds there beside the running server", async () => {
    const { output } = await command("geodata.ts", ["list", "--persist-to", state]);
    expect(output).toContain("world");
  });

  it("goes on when the service stumbles, and says in its log what is wrong when it does not come back", async () => {
    s3.faults.push({ status: 503 }, { status: 503 });
    expect(await countryOf("52.52,13.40")).toBe("DE");
    s3.faults.push(...Array.from({ length: 60 }, () => ({ status: 403, code: "AccessDenied" })));
    const answer = await ask("/v1/context?coordinates=35.68,139.69");
    s3.faults.length = 0;
    expect([answer.status, answer.headers.get("x-graticule-left-out")]).toEqual([
      200,
      expect.stringContaining("regions"),
    ]);
    await expect
      .poll(() => server.said())
      .toMatch(/the bucket maps at 127\.0\.0\.1:\d+ rejects these credentials \(AccessDenied\)/);
    expect(await countryOf("35.68,139.69")).toBe("JP");
  });

  it("is examined by the doctor", async () => {
    const { output } = await command("doctor.ts", ["--port", String(port), "--persist-to", state]);
    expect(output).toMatch(/ok +bucket behind S3 +the bucket maps responds and supports conditional writes/);
  });
});

describe("a bucket that cannot be used", { timeout: 90_000 }, () => {
  it.each([
    ["an address that is none", { GEODATA_BUCKET: "maps" }, /^GEODATA_BUCKET is s3:\/\/BUCKET, not "maps"/],
    ["no credentials", { AWS_ACCESS_KEY_ID: "" }, /requires these environment variables:\n\n {2}AWS_ACCESS_KEY_ID/],
    ["other credentials", { AWS_ACCESS_KEY_ID: "you" }, /rejects these credentials .*They need to read, write/],
    ["no such bucket", { GEODATA_BUCKET: "s3://mapz" }, /There is no bucket mapz at .*Create it/],
  ])("is refused before the server starts: %s", async (_, more, sentence) => {
    const start = await command("start.ts", ["--port", "0", "--persist-to", join(folder, "other")], more);
    expect(start).toEqual({ code: 1, output: expect.stringMatching(sentence) });
  });

  it("is refused where two imports could overwrite each other", async () => {
    s3.objects.delete("probe/conditional-write");
    s3.forgetConditions();
    const start = await command("start.ts", ["--port", "0", "--persist-to", join(folder, "other")]);
    expect(start).toEqual({ code: 1, output: expect.stringMatching(/If-None-Match.*concurrent imports/) });
  });
});
