import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { fences } from "../../../src/server/docs/guide.ts";
import { publishWorlds } from "../../support/worlds/kept-worlds.ts";
import { anyPort, type DevProcess, finished, runCli, startDev } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
let port: number;
let dev: DevProcess;

beforeAll(async () => {
  port = await anyPort();
  // What a first start builds, and the demo town, which the commands of the README ask about.
  await publishWorlds(["world", "demo"], join(folder, "state"));
  dev = await startDev(folder, port);
}, 180_000);
afterAll(async () => {
  dev?.process.kill("SIGKILL");
  await dev?.left;
});

/** A line for a shell, run by a shell; its answer as JSON. */
const shell = (line: string) => JSON.parse(execFileSync("sh", ["-c", `${line} -s`], { encoding: "utf8" }));

const printedRequests = () =>
  dev
    .output()
    .split("\n")
    .filter((line) => line.startsWith("curl "));

/** The commands of a page's shell blocks as somebody copies them: lines that go on are one, comments are not copied. */
const commandsOf = (page: string) =>
  fences(readFileSync(join(ROOT, page), "utf8"))
    .filter(({ info }) => info === "sh")
    .flatMap(({ text }) => text.replace(/\\\n\s*/g, "").split("\n"))
    .map((line) => line.replace(/(^|\s+)#.*$/, "").trim())
    .filter(Boolean);

/** What is not run here, and where something like it is. */
const ELSEWHERE: [pattern: RegExp, where: string][] = [
  [/^npm ci$/, ".ci/run, in a clean clone"],
  [/^npm run dev$/, "this server"],
  [/^npm test/, "you are looking at it"],
  [
    /^npm run import -- (--demo|--update malta|~\/Downloads\/malta-latest\.osm\.pbf)$/,
    "importer/run/command.worker.test.ts",
  ],
  [/^npm run deploy/, "server/commands/deploy.test.ts"],
  [/^npm start$/, "server/commands/start/start.test.ts"],
  [/^npm run backup -- /, "server/commands/backup/backup-place.test.ts"],
  [/^npm run doctor$/, "worker/http/running/metrics.test.ts"],
];

async function statusWith(key: string): Promise<number> {
  const answer = await fetch(`${dev.keys().baseUrl}/v1/config`, { headers: { Authorization: key } });
  await answer.arrayBuffer();
  return answer.status;
}

async function project(...words: string[]): Promise<string> {
  const { code, output } = await finished(
    runCli("project.ts", [...words, "--persist-to", `${folder}/state`, "--json"]),
  );
  if (code !== 0) throw new Error(output);
  return output;
}

/** The processes below a process that still run, the whole tree. */
function descendants(pid: number): number[] {
  const children = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state.startsWith("Z"))
    .map(([child]) => Number(child));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

async function allGone(pids: number[]): Promise<boolean> {
  for (let tries = 0; tries < 30 && pids.some(isRunning); tries++) await sleep(100);
  return !pids.some(isRunning);
}

describe("a first start", () => {
  it("prints the base URL and the four keys, which are the ones in the file", () => {
    const { baseUrl, ...keys } = dev.keys();
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect(Object.keys(keys)).toEqual(["testPublishable", "testSecret", "livePublishable", "liveSecret"]);
    for (const text of [baseUrl, ...Object.values(keys)]) expect(dev.output()).toContain(text);
  });

  it("prints requests that work as they stand: a geofence, a device that enters it, the context of the place", () => {
    const [fence, track, context] = printedRequests().slice(0, 3).map(shell);
    expect(fence).toMatchObject({ meta: { code: 200 }, geofence: { tag: "sight", externalId: "brandenburg-gate" } });
    expect(track).toMatchObject({
      meta: { code: 200 },
      events: expect.arrayContaining([
        expect.objectContaining({
          type: "user.entered_geofence",
          geofence: expect.objectContaining({ externalId: "brandenburg-gate" }),
        }),
      ]),
      user: { deviceId: "phone-1" },
    });
    expect(context).toMatchObject({
      meta: { code: 200 },
      context: { geofences: [{ externalId: "brandenburg-gate" }] },
    });
  });

  it("prints a link that signs its user in once, as the owner of the local project", async () => {
    const { baseUrl } = dev.keys();
    const token = /\/dashboard\/#\/sign-in\?token=([0-9a-f]{64})/.exec(dev.output())?.[1];
    const headers = { origin: baseUrl, "content-type": "application/json" };
    const signIn = () =>
      fetch(`${baseUrl}/dashboard/api/sign-in`, { method: "POST", headers, body: JSON.stringify({ token }) });
    const [first, second] = [await signIn(), await signIn()];
    expect([first.status, second.status]).toEqual([200, 410]);
    const cookie = String(first.headers.get("set-cookie")).split(";")[0];
    const session = await fetch(`${baseUrl}/dashboard/api/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ projects: [{ name: "local", role: "owner" }] });
  });

  it("leads a browser to the dashboard, whose page loads files that are there", async () => {
    const { baseUrl } = dev.keys();
    const root = await fetch(baseUrl, { headers: { accept: "text/html" } });
    expect([root.status, root.url]).toEqual([200, `${baseUrl}/dashboard/`]);
    const page = await root.text();
    const files = [...page.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) {
      const file = await fetch(baseUrl + path);
      await file.arrayBuffer();
      expect([path, file.status, file.headers.get("content-type")?.includes("html")]).toEqual([path, 200, false]);
    }
    expect((await fetch(baseUrl)).status).toBe(404);
  });

  it("says nothing else: no warning, no stack", () => {
    expect(dev.output()).not.toMatch(/warn|error|\n\s+at /i);
  });
});

describe("the commands of the first pages somebody reads", () => {
  it("are all printed at the start, with address and keys filled in, where they ask the server something", () => {
    const { baseUrl, testSecret, testPublishable } = dev.keys();
    const asked = commandsOf("README.md").filter((line) => line.startsWith("curl "));
    const filled = asked.map((line) =>
      line
        .replace("http://127.0.0.1:8787", baseUrl)
        .replace("$SECRET", testSecret)
        .replace("$PUBLISHABLE", testPublishable),
    );
    expect(printedRequests().sort()).toEqual(filled.sort());
  });

  it.each(["README.md", "docs/guides/getting-started.md"])(
    "%s: each is answered, as it stands there",
    async (page) => {
      const here = join(folder, "clone");
      mkdirSync(here, { recursive: true });
      copyFileSync(join(folder, "keys.json"), join(here, ".dev.keys.json"));
      const known = ["--persist-to", join(folder, "state")];
      let exports = "";
      let id = "";
      for (const written of commandsOf(page)) {
        if (ELSEWHERE.some(([pattern]) => pattern.test(written))) continue;
        const line = written.replace("http://127.0.0.1:8787", dev.keys().baseUrl).replace("WEBHOOK=…", `WEBHOOK=${id}`);
        const [, script, words = ""] = /^npm run (\w+)(?: -- (.*))?$/.exec(line) ?? [];
        if (script) {
          const more = script === "example" ? ["--keys-file", join(folder, "keys.json"), "--quiet"] : known;
          // All guides take a minute, and are run by worker/http/reference/guides.test.ts.
          const asked = words
            .split(" ")
            .filter(Boolean)
            .map((word) => (word === "tour" ? "getting-started" : word));
          const said = await finished(runCli(`${script}.ts`, [...asked, ...more]));
          expect([line, said.code, said.code === 0 ? "" : said.output]).toEqual([line, 0, ""]);
        } else if (line.startsWith("export ")) exports += `${line}\n`;
        else {
          expect(line).toMatch(/^curl /);
          const ask = () => {
            const said = execFileSync("sh", ["-euc", `${exports}${line} -s -w '\\n%{http_code}'`], {
              cwd: here,
              encoding: "utf8",
            });
            return [said.slice(0, said.lastIndexOf("\n")), said.slice(said.lastIndexOf("\n") + 1)];
          };
          let [body, status] = ask();
          // Nobody types two updates of one phone within a second; this test does.
          if (status === "429") {
            await sleep(1000);
            [body, status] = ask();
          }
          expect([line, status, status === "200" ? "" : body]).toEqual([line, "200", ""]);
          id = body.startsWith("{") ? (JSON.parse(body).webhook?._id ?? id) : id;
        }
      }
      // Who asks the wrong variable is answered 401: both keys have been found.
      if (page === "README.md") expect(readFileSync(join(here, "map.png")).subarray(1, 4).toString()).toBe("PNG");
    },
    90_000,
  );
});

describe("beside a running server", () => {
  it("a project made on the command line has keys the Worker takes at once", async () => {
    const made = JSON.parse(await project("create", "Made while it runs"));
    expect(await statusWith(made.keys.testPublishable)).toBe(200);
    expect(await statusWith(made.keys.liveSecret)).toBe(200);
    await project("revoke", String(made.id), "livePublishable");
    expect(await statusWith(made.keys.livePublishable)).toBe(401);
    await project("disable", String(made.id));
    expect(JSON.parse(await project("list")).at(-1)).toMatchObject({ name: "Made while it runs", disabled: true });
  });

  it("a second one is told that the port, or the state, is taken, in one sentence", async () => {
    const samePort = await finished(runCli("dev.ts", ["--port", String(port)]));
    expect(samePort).toEqual({ code: 1, output: expect.stringMatching(/^Port \d+ is in use\. Use another: .*\n$/) });
    const sameState = await finished(
      runCli("dev.ts", ["--port", "0", "--persist-to", `${folder}/state`, "--keys-file", `${folder}/other.json`]),
    );
    expect(sameState).toEqual({ code: 1, output: expect.stringMatching(/^A server is already using .*\n$/) });
  });

  it("a command that does not exist, or a word too few, is answered with the right one", async () => {
    const unknown = await finished(runCli("project.ts", ["destroy", "1"]));
    expect(unknown).toEqual({ code: 2, output: expect.stringContaining('Unknown command "destroy"') });
    const short = await finished(runCli("project.ts", ["rotate", "1"]));
    expect(short).toEqual({ code: 2, output: expect.stringContaining("Usage: npm run project -- rotate ID KIND\n") });
  });
});

describe("a server that stops", () => {
  it("leaves no process behind on Ctrl-C, and has everything at the next start", async () => {
    const before = dev.keys();
    const family = descendants(dev.process.pid!);
    expect(family.length).toBeGreaterThanOrEqual(3);
    dev.process.kill("SIGINT");
    expect(await dev.left).toBe(0);
    expect(await allGone(family)).toBe(true);

    dev = await startDev(folder, port);
    expect(dev.keys()).toEqual(before);
    const { geofence } = shell(
      `curl ${before.baseUrl}/v1/geofences/sight/brandenburg-gate -H 'Authorization: ${before.testSecret}'`,
    );
    expect(geofence.description).toBe("Brandenburg Gate");
  });

  it("leaves no process behind even when it is killed without a chance to say goodbye", async () => {
    const family = descendants(dev.process.pid!);
    dev.process.kill("SIGKILL");
    await dev.left;
    expect(await allGone(family)).toBe(true);
  });
});
