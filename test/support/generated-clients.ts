import { execFile } from "node:child_process";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../src/server/base/wrangler.ts";

/** Clients that others generate from /openapi.json, and whether the TypeScript compiler accepts them. */

/**
 * openapi-typescript (MIT, 0.9 MB) and @hey-api/openapi-ts (MIT, 6.5 MB with its own packages) write with the JavaScript API of TypeScript 5 or 6,
 * which TypeScript 7 does not have. A second `typescript` would claim the command `tsc`, so they get the copy of 5.9 that @ts-morph/common (MIT,
 * 12 MB) contains.
 */
async function withCompiler<T>(generate: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === "typescript" ? "@ts-morph/common/dist/typescript.js" : name, context),
  });
  try {
    return await generate();
  } finally {
    hooks.deregister();
  }
}

/** The module of types that openapi-typescript writes. Its own default requires fields with a default, also in requests. */
export const typesOf = (document: unknown, options: { defaultNonNullable?: boolean } = {}): Promise<string> =>
  withCompiler(async () => {
    const { default: write, astToString } = await import("openapi-typescript");
    return astToString(await write(document as Parameters<typeof write>[0], options));
  });

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
