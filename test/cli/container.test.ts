import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, ROOT, sourcesBelow } from "../support/imports.ts";

const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8").split("\n");
const all = (instruction: string) =>
  lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

describe("the image", () => {
  it("copies only what is there", () => {
    const sources = all("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    expect(sources).toContain("src");
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("starts the server with options that it has, on a volume, as nobody special, and is asked whether it lives", () => {
    const [entry] = all("ENTRYPOINT").map((line) => JSON.parse(line) as string[]);
    const script = entry.find((word) => word.endsWith(".ts")) ?? "";
    expect(statSync(join(ROOT, script)).isFile()).toBe(true);
    const help = readFileSync(join(ROOT, "src/cli/start/command.ts"), "utf8");
    for (const option of entry.filter((word) => /^--(?!no-)/.test(word))) expect(help).toContain(`${option} `);
    expect(all("VOLUME").join()).toContain(entry[entry.indexOf("--persist-to") + 1]);
    expect(all("USER").at(-1)).toBe("node");
    expect(all("HEALTHCHECK").join()).toContain("/v1/ping");
  });

  it("finds every package that a server or an import loads among those that are installed in it", () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const needed = ["src/cli", "src/importer"].flatMap((folder) => packagesLoadedBelow(folder));
    // What builds and deploys is not in the image, and is loaded when it is asked for.
    const others = ["vite", "wrangler", "marked"];
    expect(needed.filter((name) => dependencies[name] === undefined && !others.includes(name))).toEqual([]);
  });
});

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
