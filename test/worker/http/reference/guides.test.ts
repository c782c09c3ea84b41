import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { LIMITED_ENDPOINTS } from "../../../../src/core/limits/table.ts";
import { mintSecret, SECRET_BYTES, signedHeaders } from "../../../../src/core/webhooks/signature.ts";
import { GUIDES, guideFile, readGuides } from "../../../../src/server/docs/build-docs.ts";
import { curlOf, type Example, javascriptOf, pythonOf } from "../../../../src/server/docs/example.ts";
import { fences, type Shown, stepsOf } from "../../../../src/server/docs/guide.ts";
import { anyPort } from "../../../server/commands/dev-process.ts";
import { eventually, type Json, makeWorld, withGeodata } from "../../../support/world.ts";

/**
 * Every example of the guides is sent, in the order in which they stand, and the answers that are shown are those that come.
 * `WRITE_GUIDES=1 npx vitest run test/worker/http/reference/guides.test.ts` puts the answers of its own run into the guides.
 */
const WRITES = process.env.WRITE_GUIDES === "1";
const ONLY = process.env.GUIDE;

const rateLimits = Object.fromEntries(LIMITED_ENDPOINTS.map((name) => [name, 100_000]));

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
}, 240_000);

type Variables = Record<string, string>;

async function projectVariables(): Promise<Variables> {
  const { keys } = await makeWorld({ geodata: true, settings: { rateLimits } });
  return { HOST: inject("baseUrl"), PUBLISHABLE: keys.testPublishable, SECRET: keys.testSecret };
}

const filled = (text: string, variables: Variables) =>
  text.replace(/\$([A-Z_]+)/g, (whole, name) => variables[name] ?? whole);

/** Splits a command as a shell does: quotes, and lines that go on. */
function words(command: string, variables: Variables): string[] {
  const parts = command.replaceAll("\\\n", " ").match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? [];
  return parts.map((part) =>
    part.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/g, (_, plain, rich, escaped, bare) => {
      if (rich !== undefined) return filled(rich, variables).replace(/\\([\\"`$])/g, "$1");
      return plain ?? escaped ?? bare;
    }),
  );
}

/** Sends what the curl line says; a device that may send once a second waits. */
async function send(command: string, variables: Variables): Promise<{ status: number; type: string; text: string }> {
  const [program, ...rest] = words(command, variables);
  if (program !== "curl") throw new Error(`${program} is not curl`);
  let [method, url, body]: (string | undefined)[] = [];
  const headers: Record<string, string> = {};
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-X") method = rest.shift();
    else if (word === "-H") {
      const [name, ...value] = (rest.shift() ?? "").split(": ");
      headers[name] = value.join(": ");
    } else if (word === "-d") body = rest.shift();
    else if (word === "-o") rest.shift();
    else url = word;
  }
  for (;;) {
    const answer = await fetch(url ?? "", { method: method ?? (body ? "POST" : "GET"), headers, body });
    const type = answer.headers.get("content-type") ?? "";
    if (type.startsWith("image/"))
      return { status: answer.status, type, text: Buffer.from(await answer.arrayBuffer()).toString("base64") };
    const text = await answer.text();
    if (answer.status !== 429) return { status: answer.status, type, text };
    await new Promise((resolve) => setTimeout(resolve, 1020));
  }
}

/** What stands at "trip._id", or at "events.0._id". */
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce((one, part) => (one as Json | undefined)?.[part], value);

/** Every value at a path, in lists at each of their elements. */
function allAt(value: unknown, path: string): unknown[] {
  const parts = path.split(".");
  return parts.reduce<unknown[]>(
    (found, part) =>
      found.flat(3).flatMap((one) => ((one as Json | null)?.[part] === undefined ? [] : [(one as Json)[part]])),
    [value],
  );
}

/** The parts of a value that are named: "events.type,user.geofences". Lists keep eight at most. */
function only(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.slice(0, 8).map((one) => only(one, paths));
  if (typeof value !== "object" || value === null || paths.length === 0 || paths.includes("")) return shorter(value);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const below = paths
      .filter((path) => path === key || path.startsWith(`${key}.`))
      .map((path) => path.slice(key.length + 1));
    return below.length > 0 ? [[key, only(one, below)]] : [];
  });
  return Object.fromEntries(entries);
}

const shorter = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 3).map(shorter)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorter(one)]))
      : typeof value === "string"
        ? value.replace(/(whsec_)[\w+/=]+/, "$1…")
        : value;

/** The same at each run: ids, times, and what follows from the time of day. */
function still(value: unknown): unknown {
  if (typeof value === "string")
    return value
      .replace(/\b[0-9a-f]{24}([0-9a-f]{8})?\b/g, "<id>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, "<time>")
      .replace(/127\.0\.0\.1:\d+/g, "<host>")
      .replace(/[0-9a-f]{40}/g, "<token>");
  if (Array.isArray(value)) return value.map(still);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, still(one)]));
}

/** JSON as a person writes it: what is short stands on one line. */
function pretty(value: unknown, indent = ""): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  if (line.length + indent.length <= 90 || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((one) => inner + pretty(one, inner)).join(",\n")}\n${indent}]`;
  const entries = Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${pretty(one, inner)}`);
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

const guides = readGuides().filter(({ name, steps }) => steps.length > 0 && (!ONLY || ONLY === name));

describe.each(guides)("the guide “$title”", ({ name }) => {
  it("is run as it stands, and shows the answers that come", async () => {
    const path = guideFile(name);
    const source = readFileSync(path, "utf8");
    const variables = await projectVariables();
    const written: (Shown & { now: string })[] = [];
    for (const { example, answer } of stepsOf(source)) {
      const got = await send(curlOf(example), variables);
      const where = `${example.method} ${example.path}`;
      expect([where, got.status, got.status === example.status ? "" : got.text]).toEqual([where, example.status, ""]);
      if (example.file) {
        expect([where, got.type.split("/")[0]]).toEqual([where, "image"]);
        if (WRITES) writeFileSync(join(GUIDES, "pictures", example.file), Buffer.from(got.text, "base64"));
      }
      const body = got.type.includes("json") && got.text ? JSON.parse(got.text) : {};
      for (const one of example.save) {
        variables[one.name] = String(at(body, one.path));
        expect([where, variables[one.name]]).not.toEqual([where, "undefined"]);
      }
      if (!answer) continue;
      const now = only(body, answer.only);
      // What is named must be there, or the reader looks for it in vain.
      for (const one of answer.only) expect([where, one, allAt(body, one).length > 0]).toEqual([where, one, true]);
      if (WRITES) written.push({ ...answer, now: pretty(now) });
      else expect([where, still(now)]).toEqual([where, still(JSON.parse(answer.text))]);
    }
    if (!WRITES) return;
    let text = source;
    for (const { at: begin, text: old, now } of written.reverse())
      text = `${text.slice(0, begin)}${now}\n${text.slice(begin + old.length + (old === "" ? 0 : 1))}`;
    writeFileSync(path, text);
  });
});

/**
 * Appends the status of each request of a script to $STATUSES. Not to the script's stderr, where commands print responses at the same
 * time.
 */
const NOTE_STATUS = `curl() {
  local code=0 status
  status=$(mktemp "$STATUSES.XXXXXX")
  command curl -sS -w '%{stderr}%{http_code}' "$@" 2> "$status" || code=$?
  printf '%s\\n' "$(cat "$status")" >> "$STATUSES"
  return $code
}
`;

describe("the commands of a guide", () => {
  it("run when they are pasted from top to bottom in one shell, within the limits", { timeout: 120_000 }, async ({
    skip,
  }) => {
    if (WRITES || !(await isThere("bash", "--version")) || !(await isThere("curl", "--version"))) skip();
    const folder = mkdtempSync(join(tmpdir(), "guides-"));
    const results = await Promise.all(
      guides.map(async ({ name, steps }) => {
        const { keys } = await makeWorld({ geodata: true });
        const env = {
          ...process.env,
          HOST: inject("baseUrl"),
          PUBLISHABLE: keys.testPublishable,
          SECRET: keys.testSecret,
          STATUSES: join(folder, `${name}.statuses`),
        };
        const path = `${dirname(process.execPath)}:${process.env.PATH}`;
        const script = NOTE_STATUS + steps.map(({ shell }) => shell).join("\n");
        const child = spawn("bash", ["-eu", "-o", "pipefail", "-c", script], {
          env: { ...env, PATH: path },
          cwd: folder,
        });
        child.stderr.resume();
        child.stdout.resume();
        const code = await new Promise((ended) => child.once("close", ended));
        const statuses = readFileSync(env.STATUSES, "utf8").trimEnd().split("\n").map(Number);
        return { name, code, statuses };
      }),
    );
    rmSync(folder, { recursive: true, force: true });
    expect(results).toEqual(
      guides.map(({ name, steps }) => ({ name, code: 0, statuses: steps.map(({ example }) => example.status) })),
    );
  });
});

/** Runs a program until it ends. @returns what it printed */
function run(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args);
  let [said, wrong] = ["", ""];
  child.stdout.on("data", (text) => {
    said += text;
  });
  child.stderr.on("data", (text) => {
    wrong += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(said) : reject(new Error(wrong))));
  });
}

const isThere = (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  );

describe("an example in each language", () => {
  const example: Example = stepsOf(readFileSync(join(GUIDES, "getting-started.md"), "utf8"))[0].example;
  const run1 = async (program: string, args: (text: string) => string[], code: (one: Example) => string) => {
    const variables = await projectVariables();
    return run(program, args(filled(code(example), variables)));
  };

  it("is run by Node as JavaScript", async () => {
    const said = await run1(process.execPath, (text) => ["--input-type=module", "-e", text], javascriptOf);
    expect(said).toContain("Brandenburg Gate");
  });

  it("is run by Python, where there is one", { timeout: 90_000 }, async ({ skip }) => {
    if (!(await isThere("python3", "--version"))) skip();
    expect(await run1("python3", (text) => ["-c", text], pythonOf)).toContain("Brandenburg Gate");
  });

  it("is run by a shell with curl, where there is one", async ({ skip }) => {
    if (!(await isThere("curl", "--version"))) skip();
    expect(await run1("sh", (text) => ["-c", text], curlOf)).toContain("Brandenburg Gate");
  });
});

describe("a receiver of the guide on webhooks", () => {
  const secret = mintSecret(new Uint8Array(SECRET_BYTES).fill(7));
  const other = mintSecret(new Uint8Array(SECRET_BYTES).fill(8));
  const body = JSON.stringify({ event: { _id: "e1", type: "user.entered_geofence", note: "Café" } });
  const source = readFileSync(join(GUIDES, "webhooks.md"), "utf8");
  /** How each is started, from a file with its text. */
  const PROGRAMS: Record<string, { name: string; probe: string[]; start: (file: string, port: number) => string[] }> = {
    js: { name: "receiver.mjs", probe: [process.execPath, "--version"], start: (file) => [process.execPath, file] },
    python: { name: "receiver.py", probe: ["python3", "--version"], start: (file) => ["python3", file] },
    go: { name: "receiver.go", probe: ["go", "version"], start: (file) => ["go", "run", file] },
    php: {
      name: "receiver.php",
      probe: ["php", "--version"],
      start: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file],
    },
  };

  it("in another language can compare itself with a message whose signature is shown, as openssl made it", async () => {
    const vector = fences(source).find(({ info }) => info === "text vector")?.text ?? "";
    const shown = Object.fromEntries(
      vector.split("\n").map((line) => [line.split(/ +/)[0], line.replace(/^\w+ +/, "")]),
    );
    expect([shown.secret, shown.body]).toEqual([secret, body]);
    const headers = await signedHeaders([secret], { id: shown.id, body }, "x", Number(shown.timestamp) * 1000);
    expect(headers["webhook-signature"]).toBe(shown.signature);
  });

  // Go compiles its library once, the first time.
  it.for(Object.keys(PROGRAMS))(
    "in %s takes what is ours once, and nothing else",
    { timeout: 90_000 },
    async (language, { skip }) => {
      const { name, probe, start } = PROGRAMS[language];
      if (!(await isThere(probe[0], ...probe.slice(1)))) return skip(`there is no ${language} here`);
      const text = fences(source).find(({ info }) => info === `${language} receiver`)?.text ?? "";
      const port = await anyPort();
      const folder = mkdtempSync(join(tmpdir(), "receiver-"));
      const file = join(folder, name);
      writeFileSync(file, text.replaceAll("3000", String(port)));
      const [program, ...args] = start(file, port);
      const child = spawn(program, args, { env: { ...process.env, WEBHOOK_SECRET: secret }, detached: true });
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (some) => {
          said += some;
        });
      try {
        const send = async (secrets: string[], now = Date.now(), sent = body) => {
          const headers = await signedHeaders(secrets, { id: `e-${port}`, body }, "x", now);
          return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent })).status;
        };
        const first = await eventually(
          () => send([secret]).catch(() => 0),
          (status) => status !== 0,
          60_000,
        );
        expect([first, await send([other, secret])]).toEqual([204, 204]);
        expect([await send([other]), await send([secret], Date.now() - 3_600_000)]).toEqual([401, 401]);
        expect(await send([secret], Date.now(), `${body} `)).toBe(401);
        await eventually(
          async () => said,
          () => said.includes("user.entered_geofence"),
        );
        expect(said.match(/user\.entered_geofence/g)).toHaveLength(1);
      } finally {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

describe("the pages of the guides", () => {
  const get = async (path: string) => {
    const answer = await fetch(`${inject("baseUrl")}${path}`);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it("are all there, and every link between them and into the reference leads somewhere", async () => {
    const reference = await get("/docs");
    const names = readGuides().map((guide) => guide.name);
    const ids = new Map<string, Set<string>>();
    const idsOf = (html: string) => new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
    ids.set("/docs", idsOf(reference.text));
    // What scrolls sideways is reached by the keyboard, too.
    expect(reference.text.match(/<(pre|div class="scroll")(?![^>]*tabindex)[^>]*>/g)).toBeNull();
    const pages = new Map<string, string>([["/docs", reference.text]]);
    for (const name of ["guides", ...names]) {
      const { status, headers, text } = await get(`/docs/${name}`);
      expect([name, status, headers.get("content-type")]).toEqual([name, 200, "text/html; charset=utf-8"]);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      pages.set(`/docs/${name}`, text);
      ids.set(`/docs/${name}`, idsOf(text));
    }
    const dead: string[] = [];
    for (const [page, html] of pages) {
      for (const [, href] of html.matchAll(/<a [^>]*href="(\/docs[^"]*|#[^"]*)"/g)) {
        const [path, id] = (href.startsWith("#") ? page + href : href).split("#");
        if (path.startsWith("/docs/files/")) {
          if ((await get(path)).status !== 200) dead.push(`${page}: ${href}`);
        } else if (!ids.has(path) || (id && id !== "top" && !ids.get(path)?.has(id))) dead.push(`${page}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
    for (const file of ["docs.js", "docs.css", "search.json"])
      expect((await get(`/docs/files/${file}`)).status).toBe(200);
    expect((await get("/docs/nothing-here")).status).toBe(404);
    expect((await get("/docs/files/nothing.js")).status).toBe(404);
  });

  it("say in the catalogue what every type of event is", async () => {
    const { text } = await get("/docs/events");
    const { webhooks } = (await (await fetch(`${inject("baseUrl")}/openapi.json`)).json()) as { webhooks: Json };
    for (const type of Object.keys(webhooks)) expect([type, text.includes(type)]).toEqual([type, true]);
  });
});
