import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";

/**
 * A project's Durable Objects and files are in its jurisdiction. Environments restricted to it are made in one module
 * (platform/residence.ts); here is whether any code goes around it.
 */

/** Modules that don't run in the Worker. */
const ELSEWHERE = /^src\/(server|importer|dashboard|client|demo)\//;

const sources = sourcesBelow(join(ROOT, "src"))
  .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }))
  .filter(({ path }) => !ELSEWHERE.test(path));

const linesOf = (text: string) => text.split("\n").filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));

/** "path: line" of the lines that match. */
const linesWith = (pattern: RegExp) =>
  sources.flatMap(({ path, text }) =>
    linesOf(text).flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );

const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8").split("[env.staging]")[0];
/** Binding → class. */
const bindings = new Map(
  [...config.matchAll(/^name = "([A-Z_]+)"\nclass_name = "(\w+)"/gm)].map(([, name, of]) => [name, of]),
);
const index = readFileSync(join(ROOT, "src/worker/index.ts"), "utf8");

describe("a Durable Object", () => {
  it("is found by its name in the stubs (`*-stub.ts`) alone, in the namespace of an environment", () => {
    // `remoteObject` finds one in the namespace of the environment that it is given.
    const found = linesWith(/\b(?:idFromName|idFromString|getByName|newUniqueId|remoteObject(?=[<(]))/).filter(
      (line) => !line.startsWith("src/worker/objects/remote.ts: "),
    );
    expect(
      found.filter(
        (line) =>
          !/^src\/worker\/(objects\/([\w-]+\/)?[\w-]+-stub\.ts|platform\/residence\.ts|objects\/residence\/residence\.ts)/.test(
            line,
          ),
      ),
    ).toEqual([]);
    for (const line of found.filter((one) => one.includes("-stub.ts: ")))
      expect(line).toMatch(/\b(remoteObject(<\w+>)?\(env, "[A-Z_]+",|([A-Z_]+)\.idFromName\()/);
  });

  it("is reached in a jurisdiction by each namespace of wrangler.toml, but for that of the deployment", () => {
    const listed = /const NAMESPACES = \[([^\]]*)\]/.exec(
      readFileSync(join(ROOT, "src/worker/platform/residence.ts"), "utf8"),
    )?.[1];
    const names = [...(listed ?? "").matchAll(/"([A-Z_]+)"/g)].map(([, name]) => name);
    expect(names.sort()).toEqual([...bindings.keys()].filter((name) => name !== "ALERT_WATCH").sort());
  });

  it("reaches only its own jurisdiction, or has no way to others", () => {
    // The counters call nobody, and store only what is left of an hour; the alert watch is of the deployment, see below.
    const without = ["AlertWatch", "RateLimiter"];
    for (const [name, of] of bindings) {
      if (without.includes(of)) continue;
      const made = index.split("export class ").find((text) => text.startsWith(`${of} `)) ?? "";
      const [, namespace] = /^\w+ extends resident\(\w+, \{ namespace: "(\w+)"/.exec(made) ?? [];
      if (namespace) expect([of, namespace]).toEqual([of, name]);
      else expect([of, made]).toEqual([of, expect.stringContaining("super(context, ownEnv(context, env))")]);
    }
    expect(readFileSync(join(ROOT, "src/worker/objects/rate-limiter.ts"), "utf8")).not.toMatch(/this\.env/);
  });

  it("of a project is asked for in the project's environment where the deployment's own is at hand", () => {
    const common = /^src\/worker\/(objects\/alerts\/alert-watch|http\/metrics\/|http\/shares\/|http\/oauth\/|index)/;
    const stubs =
      /(deviceTracker|geofenceIndex|campaignIndex|webhookSender|routeJobs|geocodeJobs|liveFeed|meetingCell|metTracker)Of\((this\.)?env\b/;
    expect(linesWith(stubs).filter((line) => common.test(line))).toEqual([]);
  });
});

describe("a file of a project", () => {
  /** What reads geodata, which all projects share. Everything else is a project's. */
  const SHARED = [
    /\b(openGeodata|whileAway|openBasemap|wireLiveBuilds|liveBuilds|buildHealth|activateBuild|rollBackBuild|takeOffBuild|deleteBuilds|creditLayers)\(.*GEODATA/,
    // the binding's name, and its settings
    /"GEODATA"|GEODATA_S3|GEODATA: (R2Bucket|bucket)/,
    /openBasemap\(geodata, env\.GEODATA, env\.BASEMAP_ARCHIVE\)/,
  ];
  /** Lines in which the bucket is at hand under another name, and what for. */
  const OTHERS = [
    // merged of many projects, without a trace of any user
    "src/worker/answers/learn/residual-eta.ts: { GEODATA }: Env,",
    "src/worker/answers/learn/residual-eta.ts: const model = await currentModel(GEODATA, now);",
    "src/worker/http/insight/eta-stats.ts: async function summariesOf({ GEODATA }: Env): Promise<BuildSummary[]> {",
    "src/worker/http/insight/eta-stats.ts: const { objects } = await GEODATA.list({ prefix: SUMMARIES_PREFIX, limit: MAX_BUILDS });",
    "src/worker/http/insight/eta-stats.ts: const texts = await Promise.all(objects.map(async ({ key }) => (await GEODATA.get(key))?.text()));",
    // the one place that chooses
    'src/worker/platform/residence.ts: export const projectBucket = (env: Pick<Env, "GEODATA" | "BUCKET">): R2Bucket => env.BUCKET ?? env.GEODATA;',
  ];

  it("is in the bucket of its jurisdiction, wherever a key begins with its scope", () => {
    const found = linesWith(/\bGEODATA\b/).filter(
      (line) => !SHARED.some((pattern) => pattern.test(line)) && !OTHERS.includes(line),
    );
    expect(found).toEqual([]);
    expect(OTHERS.filter((line) => !linesWith(/\bGEODATA\b/).includes(line))).toEqual([]);
  });

  it("moves with its project, whatever its key begins with", () => {
    const text = readFileSync(join(ROOT, "src/worker/objects/moves/moved-files.ts"), "utf8");
    const moved = (prefix: string) => text.includes(prefix);
    // Prefixes that are followed by a scope, in the sources.
    const found = sources
      .filter(({ path }) => !path.startsWith("src/worker/objects/moves/"))
      .flatMap(({ text }) => [...text.matchAll(/`([a-z]+)\/(?:events\/scope=)?\$\{scope\}/g)].map(([, name]) => name));
    expect([...new Set(found)].sort()).toEqual(["custom", "sinks"]);
    for (const prefix of ["custom/", "sinks/", "archive/events/scope=", "LEARNING_PREFIX", "stateKey"])
      expect([prefix, moved(prefix)]).toEqual([prefix, true]);
  });
});
