import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildDashboard } from "../../../src/server/make/build-dashboard.ts";
import { workerBundle } from "../../../src/server/start/worker-bundle.ts";
import { importsOf, ROOT, sourcesBelow } from "../../support/imports.ts";
import { publishWorlds } from "../../support/worlds/kept-worlds.ts";
import { anyPort } from "./dev-process.ts";
import { scratchFolder } from "./scratch.ts";

const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8").split("\n");
const all = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

describe("the image", () => {
  /** From this repository. */
  const copied = all("COPY")
    .filter((line) => !line.startsWith("--from"))
    .flatMap((line) => line.split(" ").slice(0, -1))
    .filter((path) => path !== ".");
  /** Packages that nothing in the image loads. */
  const removed = all("RUN rm -r").flatMap((line) => line.split(" "));
  /** Ends of the names of files that nothing in the image reads. */
  const unread = [...(all("RUN find node_modules")[0] ?? "").matchAll(/-name "\*([^"]+)"/g)].map(([, end]) => end);
  const isUnread = (path: string) =>
    path.startsWith("node_modules/") ? unread.some((end) => path.endsWith(end)) : /^dist\/server\/.*\.map$/.test(path);

  it("copies only what is there, and removes only what is", () => {
    const sources = copied;
    expect(removed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(unread).toContain(".map");
    expect(all("RUN").join("\n")).toContain("rm dist/server/*.map");
    expect(sources).toContain("src");
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("has one base, by its digest, and nothing of it but what is copied", () => {
    const bases = all("FROM");
    expect(
      bases.filter((line) => line.includes(":")).every((line) => /^\S+:\S+@sha256:[0-9a-f]{64} AS base$/.test(line)),
    ).toBe(true);
    expect(bases.at(-1)).toBe("scratch");
    // Programs that the server starts are in it.
    const started = all("RUN").join("\n") + lines.join("\n");
    for (const program of ["/image/bin/sh", "/image/bin/cat", "/image/usr/local/bin/node"])
      expect(started).toContain(program);
  });

  it("starts the server with options that it has, on a volume, as nobody special, and is asked whether it lives", () => {
    const [entry] = all("ENTRYPOINT").map((line) => JSON.parse(line) as string[]);
    const script = entry.find((word) => word.endsWith(".ts")) ?? "";
    expect(statSync(join(ROOT, script)).isFile()).toBe(true);
    const help = readFileSync(join(ROOT, "src/server/start/command.ts"), "utf8");
    for (const option of entry.filter((word) => /^--(?!no-)/.test(word))) expect(help).toContain(`${option} `);
    expect(all("VOLUME").join()).toContain(entry[entry.indexOf("--persist-to") + 1]);
    expect(all("USER").at(-1)).toBe("node");
    expect(all("HEALTHCHECK").join()).toContain("/v1/ping");
  });

  it("finds every package that a server or an import loads among those that are installed in it", () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    // What builds, deploys and makes data is not in the image, and is loaded when it is asked for.
    const others = ["vite", "wrangler", "marked", "sharp", "openapi-typescript"];
    const needed = ["src/server", "src/importer"]
      .flatMap((folder) => packagesLoadedBelow(folder))
      .filter((name) => !others.includes(name));
    expect(needed.filter((name) => dependencies[name] === undefined)).toEqual([]);
    expect(needed.filter((name) => removed.some((path) => `node_modules/${name}/`.startsWith(`${path}/`)))).toEqual([]);
  });

  /** A folder with what the image has, by hard links: the packages of production without those that are removed, and what is copied. */
  const folder = scratchFolder();
  const state = join(folder, "data");

  it("is at most 308 MB of files, of which its libraries are 9, node 109 and workerd 104", async () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
    };
    await buildDashboard();
    // The server runs as a user who owns none of it.
    expect(statSync(await workerBundle()).mode & 0o055).toBe(0o055);
    let bytes = 0;
    const link = (path: string) => {
      const from = join(ROOT, path);
      if (statSync(from).isDirectory()) {
        for (const name of readdirSync(from)) if (name !== "node_modules") link(join(path, name));
      } else if (!isUnread(path) && !removed.some((one) => path === one || path.startsWith(`${one}/`))) {
        mkdirSync(join(folder, path, ".."), { recursive: true });
        linkOrCopy(from, join(folder, path));
        // The two binaries are stripped, and counted above.
        if (!/\/bin\/workerd$/.test(path)) bytes += statSync(from).size;
      }
    };
    for (const [path, { dev, devOptional }] of Object.entries(packages))
      if (path && !dev && !devOptional && existsSync(join(ROOT, path))) link(path);
    const built = ["dashboard", "server", "dashboard.source", "docs.source"].map((name) => join("dist", name));
    for (const path of [...built, ...copied.filter((one) => !one.startsWith("/"))]) link(path);
    expect(bytes / 1e6).toBeLessThan(308 - 9 - 109 - 104);
  });

  it("starts with only that, answers, and has all that an import loads", async () => {
    await publishWorlds(["world"], state);
    const port = await anyPort();
    const inside = { cwd: folder, env: { ...process.env, NODE_ENV: "production" } };
    const script = ["--no-warnings", "src/server/start.ts", "--port", String(port), "--persist-to", state];
    const server = spawn(process.execPath, script, inside);
    const left = new Promise((end) => server.once("exit", end));
    let said = "";
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (said += text));
    try {
      await Promise.race([left, expect.poll(() => said, { timeout: 60_000 }).toContain("is ready at")]);
      expect(said).toContain("is ready at");
      expect(said).not.toContain("Building");
      expect((await fetch(`http://127.0.0.1:${port}/v1/ping`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${port}/docs/guides`)).status).toBe(200);
      const modules = ["run/layers", "world/countries", "world/cities"].map((name) => `"./src/importer/${name}.ts"`);
      // Maps of all continents are read by names that are put together.
      const waters = `const { natureOnMaps } = await import("./src/importer/layers/basemap/world/world-waters.ts")`;
      const load = `for (const one of [${modules}]) await import(one); ${waters}; for (const _ of natureOnMaps());`;
      const imports = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", load], inside);
      expect([imports.status, String(imports.stderr)]).toEqual([0, ""]);
    } finally {
      server.kill("SIGTERM");
      await left;
    }
  }, 90_000);
});

/** A second name for a file, or where that is on another disk, a copy. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Names of the packages that files below a folder import. */
function packagesLoadedBelow(folder: string): string[] {
  const targets = sourcesBelow(join(ROOT, folder)).flatMap((path) =>
    importsOf(path)
      .filter(({ target, typeOnly }) => !typeOnly && !/^(\.|node:|cloudflare:)/.test(target))
      .map(({ target }) =>
        target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
  );
  return [...new Set(targets)];
}
