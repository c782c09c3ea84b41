import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { AddressIndex } from "../../../../src/core/geocoding/index/address-index.ts";
import { ImportError } from "../../../../src/importer/common/import-error.ts";
import { quiet } from "../../../../src/importer/common/progress.ts";
import { addressesLayer } from "../../../../src/importer/layers/addresses/addresses-layer.ts";
import { layerInput, layerOutput } from "../../../core/regions/layer-harness.ts";

const folder = mkdtempSync(join(tmpdir(), "bad-addresses-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = "LON,LAT,NUMBER,STREET,UNIT,CITY,REGION,POSTCODE\n";

async function build(text: string) {
  const path = join(folder, "rows.csv");
  writeFileSync(path, text);
  const { objects, counts, out } = layerOutput();
  const notes: string[] = [];
  const input = layerInput({ files: { addresses: [path] } });
  await addressesLayer.build(input, { ...out, note: (line) => void notes.push(line) }, quiet);
  return { objects, counts, notes };
}

/** In the middle of the Atlantic, where no town is. */
const row = (number: string, street: string, at = "-40.001,30.001") => `${at},${number},${street},,,,\n`;

describe("a file of addresses that is not as it should be", () => {
  it("and ends within a line, loses that line with a count and a sentence", async () => {
    const whole = HEADER + row("1", "Long Street") + row("2", "Long Street");
    const { counts, notes } = await build(`${whole}-40.001,30.001,3,Long Str`);
    expect(counts).toMatchObject({ addresses: 2, "left out: last line of a file that was cut": 1 });
    expect(notes.join()).toContain("rows.csv ends within line 4");
  });

  it("is whole without a line break at its end", async () => {
    const { counts, notes } = await build((HEADER + row("1", "Long Street")).trimEnd());
    expect([counts.addresses, notes]).toEqual([1, []]);
  });

  it("and has lines off the Earth or without a street or number, counts them", async () => {
    const { counts } = await build(
      HEADER +
        row("1", "Long Street") +
        row("2", "Long Street", "-40.001,90.5") +
        row("3", "Long Street", "200,30") +
        row("4", "Long Street", ",") +
        row("", "Long Street") +
        row("0", "Long Street") +
        row("5", ""),
    );
    expect(counts).toMatchObject({
      addresses: 1,
      "left out: line of a file without a position": 3,
      "left out: line of a file without a street or a number": 3,
    });
  });

  it("and gives only a unit for a house, or a list that is no list of houses, counts it", async () => {
    const { counts } = await build(
      HEADER + row("1", "Long Street") + row("Unit 5", "Long Street") + row(`"${"1;".repeat(60)}"`, "Long Street"),
    );
    expect(counts).toMatchObject({ addresses: 1, "left out: no house number to read": 2 });
  });

  it("and opens a quote that it never closes, is refused with a sentence", async () => {
    await expect(build(`${HEADER}-40,30,"1,${"Long Street\n".repeat(800_000)}`)).rejects.toThrow(ImportError);
  });

  it("and names streets with ten thousand letters, far from any town, has them all the same", async () => {
    const long = "Llanfair ".repeat(1111);
    const { objects, counts } = await build(HEADER + row("7", long.trim()));
    expect(counts).toMatchObject({ addresses: 1, "addresses in -": 1 });
    const index = new AddressIndex(decodeEach(memorySource(objects)));
    const names = await index.names(0);
    expect([names?.name(0), names?.context(0).city]).toEqual([long.trim(), ""]);
  });

  it("and has no line at all, makes nothing", async () => {
    const { objects } = await build(HEADER);
    expect(objects.size).toBe(0);
  });
});
