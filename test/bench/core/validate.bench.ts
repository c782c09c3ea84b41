import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddressQuestion, type Validation, validateAddress } from "../../../src/core/addresses/validate.ts";
import type { AddressIndex } from "../../../src/core/geocoding/index/address-index.ts";
import type { Country } from "../../../src/core/geocoding/north-america/words.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import { openGeodataBucket } from "../../../src/server/geodata/geodata-bucket.ts";
import { type Built, buildAddresses } from "../../core/geocoding/index/demo-index.ts";
import { mistyped, randomFrom } from "../../core/geocoding/sample.ts";
import { EXTRACTS } from "../../core/regions/extract-harness.ts";
import type { Report } from "../bench.ts";
import { measureLoad } from "../support/load.ts";
import { percentile } from "../support/percentile.ts";
import { startPlatform } from "../worker.ts";

export const name = "validate";
export const summary =
  "Addresses of real towns validated, untouched and with mistakes of each kind; in the engine and over HTTP.";

/** Addresses per town; all where it has fewer. */
const SAMPLE = 1500;
const TOWNS: [town: string, file: string][] = [
  ["Santa Clara, OpenAddresses", "openaddresses-us-ca-santa_clara.zip"],
  ["Queens", "queens-village-ny.osm.pbf"],
  ["Vancouver", "vancouver.osm.pbf"],
];

export async function run(report: Report): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), "graticule-validate-"));
  try {
    for (const [town, file] of TOWNS) {
      const path = join(EXTRACTS, file);
      if (existsSync(path)) await measureTown(town, await build(path, cache), report);
      else console.log(`${town}: skipped: no extract`);
    }
    await overHttp(cache, report);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

async function build(path: string, cache: string): Promise<Built> {
  if (!path.endsWith(".zip")) return buildAddresses([path]);
  const { addresses } = await findSources([path], { cache, reporter: silent });
  return buildAddresses([], addresses);
}

interface Real extends AddressQuestion {
  number: string;
  street: string;
  /** Units the source lists at the address. */
  units: readonly string[];
}

/** Addresses with all that a question needs, drawn evenly; `left` counts those that lack something. */
async function realAddresses(index: AddressIndex): Promise<{ all: Real[]; left: number }> {
  const all: Real[] = [];
  let left = 0;
  for (let tile = 0; ; tile++) {
    const names = await index.names(tile);
    if (!names) break;
    for (let entry = 0; entry < names.count; entry++) {
      if (names.kinds[entry] !== 0) continue;
      const { city, stateCode, countryCode } = names.context(entry);
      const [street, postalCode] = [names.name(entry), names.postalCode(entry)];
      for (const { number, computed, units } of (await index.details(tile, names, entry)).houses) {
        if (computed) continue;
        const country = countryCode as Country;
        if (city && stateCode && isCode(postalCode, country))
          all.push({ country, number: number.text, street, city, stateCode, postalCode, units });
        else left++;
      }
    }
  }
  const draw = randomFrom(2026);
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return { all: all.slice(0, SAMPLE), left };
}

const isCode = (code: string, country: Country) =>
  country === "US" ? /^\d{5}$/.test(code) : country === "CA" && /^[A-Z]\d[A-Z] \d[A-Z]\d$/.test(code);

async function measureTown(town: string, { index }: Built, report: Report): Promise<void> {
  const { all, left } = await realAddresses(index);
  report({ case: town, metric: "addresses asked", value: all.length, unit: "" });
  report({ case: town, metric: "without city, state or code", value: left, unit: "" });
  const draw = randomFrom(11);
  const ask = async (
    what: string,
    change: (real: Real) => Partial<AddressQuestion> | undefined,
    wanted: [metric: string, goal: number | null, holds: (answer: Validation, real: Real) => boolean][],
  ) => {
    const held = wanted.map(() => 0);
    const times: number[] = [];
    let count = 0;
    for (const real of all) {
      const changed = change(real);
      if (!changed) continue;
      count++;
      const began = performance.now();
      const answer = await validateAddress([index], { ...real, unit: firstUnit(real), ...changed });
      times.push(performance.now() - began);
      for (const [i, [, , holds]] of wanted.entries()) if (holds(answer, real)) held[i]++;
    }
    if (count === 0) return;
    for (const [i, [metric, goal]] of wanted.entries())
      report({ case: `${town}: ${what}`, metric, value: (100 * held[i]) / count, unit: "%", baseline: goal });
    report({ case: `${town}: ${what}`, metric: "p50", value: percentile(times, 0.5), unit: "ms" });
    report({ case: `${town}: ${what}`, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
  };
  const verified = ({ status }: Validation) => status === "verified";
  const partially = ({ status }: Validation) => status === "partially verified";
  const standard = new Map<string, string>();
  const id = (real: Real) => `${real.number} ${real.street} ${real.postalCode} ${real.units.join()}`;

  await ask("untouched", () => ({}), [
    [
      "verified",
      99,
      (answer, real) => {
        standard.set(id(real), answer.address.formattedAddress);
        return verified(answer);
      },
    ],
  ]);
  await ask(
    "one spelling error in the street",
    (real) => {
      const street = mistyped(real.street, draw);
      return street === real.street ? undefined : { street };
    },
    [
      ["found and standardised", 95, ({ address }, real) => address.formattedAddress === standard.get(id(real))],
      ["verified", null, verified],
    ],
  );
  await ask("wrong house number", () => ({ number: String(90_000 + Math.floor(draw() * 9000)) }), [
    ["verified", 0, verified],
    ["partially verified", null, partially],
  ]);
  await ask("wrong postal code", ({ country }) => ({ postalCode: country === "US" ? "99999" : "X9X 9X9" }), [
    [
      "corrected and partially verified",
      null,
      (answer, real) => partially(answer) && answer.address.postalCode === real.postalCode,
    ],
    ["verified", 0, verified],
  ]);
  await ask("wrong city", () => ({ city: "Springfield" }), [
    ["corrected and partially verified", null, (answer) => partially(answer) && answer.corrections.includes("city")],
    ["verified", 0, verified],
  ]);
  await ask("unit left out", ({ units }) => (units.length > 0 ? { unit: undefined } : undefined), [
    ["unit:missing", 100, ({ analysis }) => analysis === "unit:missing"],
  ]);
  await ask("unit that is not there", ({ units }) => (units.length > 0 ? { unit: "Apt ZZ999" } : undefined), [
    ["unit:invalid", 100, ({ analysis }) => analysis === "unit:invalid"],
  ]);
}

const firstUnit = ({ units }: Real) => units[0];

/** The first town there is, behind the real Worker. */
async function overHttp(cache: string, report: Report): Promise<void> {
  const found = TOWNS.map(([, file]) => join(EXTRACTS, file)).find(existsSync);
  if (!found) return;
  const platform = await startPlatform({ unlimited: ["validateAddress"] });
  try {
    const zipped = found.endsWith(".zip");
    const { addresses } = zipped ? await findSources([found], { cache, reporter: silent }) : { addresses: [] };
    const bucket = openGeodataBucket({ remote: false, state: platform.state });
    await importGeodata({
      name: "town",
      extracts: zipped ? [] : [found],
      files: { addresses },
      layers: [osmRegions, addressesLayer],
      cache,
      bucket,
      reporter: silent,
    });
    bucket.close();
    // A running Worker looks for new builds every five seconds.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const { all } = await realAddresses((await build(found, cache)).index);
    const headers = { Authorization: platform.keys.testPublishable };
    const draw = randomFrom(5);
    for (const [what, streetOf] of [
      ["untouched", ({ street }: Real) => street],
      ["one spelling error", ({ street }: Real) => mistyped(street, draw)],
    ] as const) {
      const make = (n: number) => {
        const real = all[n % all.length];
        const { country, number, city, stateCode, postalCode } = real;
        const query = { countryCode: country, number, street: streetOf(real), city, stateCode, postalCode };
        return { path: `/v1/addresses/validate?${new URLSearchParams(query)}`, headers };
      };
      const figures = await measureLoad(platform, make, { count: 1000, parallel: 1 });
      report({ case: `HTTP: ${what}`, metric: "cpu", value: figures.cpu, unit: "µs" });
      report({ case: `HTTP: ${what}`, metric: "p50", value: figures.p50, unit: "ms", baseline: 2 });
      report({ case: `HTTP: ${what}`, metric: "p99", value: figures.p99, unit: "ms" });
    }
  } finally {
    await platform.stop();
  }
}
