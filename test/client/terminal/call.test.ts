import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runTerminal } from "../../../src/client/terminal/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "graticule-call-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `graticule call …` against a server that always gives this response. */
async function call(args: readonly string[], response = () => Response.json({ meta: { code: 200 } })) {
  const sent: { method?: string; path: string; body?: unknown }[] = [];
  const [out, error]: string[][] = [[], []];
  const code = await runTerminal(["call", ...args], {
    environment: { GRATICULE_HOST: "https://maps.example.com", GRATICULE_KEY: "prj_test_sk_1" },
    print: (text) => void out.push(text),
    printError: (text) => void error.push(text),
    width: undefined,
    signal: new AbortController().signal,
    fetch: (async (url: string, { method, body }: RequestInit) => {
      const path = url.replace("https://maps.example.com", "");
      sent.push({ method, path, ...(body !== undefined && { body: JSON.parse(String(body)) }) });
      return response();
    }) as typeof fetch,
  });
  return { code, out: out.join(""), error: error.join(""), sent };
}

describe("graticule call", () => {
  it("sends parameters in path, query and body, and prints the JSON of the response", async () => {
    const { code, out, sent } = await call(["getUser", "id=ann b"]);
    expect([code, JSON.parse(out)]).toEqual([0, { meta: { code: 200 } }]);
    expect(sent).toEqual([{ method: "GET", path: "/v1/users/ann%20b" }]);
    const near = await call(["searchUsers", "near=-48.99,-111.2", "limit=5"]);
    expect(near.sent).toEqual([{ method: "GET", path: "/v1/search/users?near=-48.99%2C-111.2&limit=5" }]);
    const track = await call(["track", "deviceId=a=b", "latitude=48.99", "stopped=true", 'metadata={"a": [1]}']);
    const body = { deviceId: "a=b", latitude: 48.99, stopped: true, metadata: { a: [1] } };
    expect(track.sent).toEqual([{ method: "POST", path: "/v1/track", body }]);
  });

  it("sends numbers that JSON would write otherwise as text, such as long ids", async () => {
    const { sent } = await call(["track", "deviceId=007", "userId=12345678901234567890", "description=1.50"]);
    expect(sent[0].body).toEqual({ deviceId: "007", userId: "12345678901234567890", description: "1.50" });
  });

  it("reads further parameters from a file, and writes a file", async () => {
    const [input, output] = ["in.json", "out.png"].map((name) => join(folder, name));
    writeFileSync(input, '{"deviceId": "a", "latitude": 1}');
    expect((await call(["track", "latitude=2", "--input", input])).sent[0].body).toEqual({
      deviceId: "a",
      latitude: 2,
    });
    const image = () => new Response(new Uint8Array([137, 80]), { headers: { "content-type": "image/png" } });
    const written = await call(["staticMap", "zoom=3", "-o", output], image);
    expect([written.code, written.out, [...readFileSync(output)]]).toEqual([
      0,
      `The response is in ${output}.\n`,
      [137, 80],
    ]);
    expect(await call(["staticMap"], image)).toMatchObject({ code: 2, error: expect.stringMatching(/Set --output/) });
  });

  it("prints text as it is, and nothing without content", async () => {
    const csv = () => new Response("a,b\n", { headers: { "content-type": "text/csv" } });
    expect(await call(["exportUsers"], csv)).toMatchObject({ code: 0, out: "a,b\n" });
    expect(await call(["deleteUser", "id=1"], () => new Response(null, { status: 204 }))).toMatchObject({
      code: 0,
      out: "",
    });
  });

  it.each([
    [[], /There is no operation ""/, 2],
    [["constructor"], /There is no operation "constructor"/, 2],
    [["getUser"], /id is required/, 1],
    [["getUser", "ann"], /"ann" must be NAME=VALUE/, 2],
    [["getUser", "id=1", "--input", "/nowhere.json"], /There is no file \/nowhere\.json/, 1],
  ])("%j ends with a sentence and sends nothing", async (args, sentence, code) => {
    expect(await call(args)).toMatchObject({ code, out: "", error: expect.stringMatching(sentence), sent: [] });
  });
});
