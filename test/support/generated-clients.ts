import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../src/server/base/wrangler.ts";
import { withCompiler } from "../../src/server/make/client-files.ts";

/** Clients that others generate from /openapi.json, and whether the TypeScript compiler accepts them. */

/** Writes the client of @hey-api/openapi-ts, a function per operation, into a folder. Node runs it without a build. */
export const writeClient = (document: object, folder: string): Promise<unknown> =>
  withCompiler(async () => {
    const { createClient } = await import("@hey-api/openapi-ts");
    return createClient({
      input: document as Record<string, unknown>,
      output: { path: folder, module: { extension: ".ts" } },
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
      logs: { level: "silent" },
    });
  });

const COMPILER_OPTIONS = [
  ...["--ignoreConfig", "--noEmit", "--allowImportingTsExtensions", "--skipLibCheck"],
  ...["--strict", "--noUncheckedIndexedAccess"],
  ...["--types", "node", "--target", "es2024", "--module", "preserve", "--lib", "es2024,dom,dom.iterable"],
];

/** What tsc prints about files of a folder: "" where they have no errors. */
export const typeErrors = (folder: string, files: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    ...COMPILER_OPTIONS,
    ...files.map((file) => join(folder, file)),
  ]).then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`.replaceAll(folder, ""),
  );
