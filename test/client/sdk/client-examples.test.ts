import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { typeErrors } from "../../support/generated-clients.ts";

/** The examples of graticule-client in the reference: the compiler accepts each. */

const CLIENT = join(ROOT, "src/client/index.ts");
const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

it("compile in strict mode", async () => {
  const page = await (await fetch(`${inject("baseUrl")}/docs`)).text();
  const reference = [...page.matchAll(/aria-label="client of (\w+)">([^<]*)</g)].map(([, , text]) => unescaped(text));
  expect(reference.length).toBeGreaterThan(100);
  const folder = mkdtempSync(join(tmpdir(), "graticule-examples-"));
  try {
    const source = [
      `import { Graticule } from ${JSON.stringify(CLIENT)};`,
      'const graticule = new Graticule({ host: "x" });',
      ...reference,
    ];
    writeFileSync(join(folder, "examples.ts"), source.join("\n"));
    expect(await typeErrors(folder, ["examples.ts"])).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
