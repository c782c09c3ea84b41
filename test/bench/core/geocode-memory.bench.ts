import { countryName } from "../../../src/core/regions/region.ts";
import { worldCities } from "../../../src/importer/world/cities.ts";
import { MISTAKES, mistake } from "../../core/geocoding/asked.ts";
import { around, full, line } from "../../core/geocoding/cases.ts";
import { randomFrom, type SampledHouse } from "../../core/geocoding/sample.ts";
import type { Report } from "../bench.ts";
import { housesIn, startWithGeodata } from "../support/geodata-platform.ts";
import { freePort, type HeapUse, HeapWatch } from "../support/heap.ts";
import { type LoadRequest, send } from "../support/load.ts";
import { percentile } from "../support/percentile.ts";
import { residentBytes } from "../support/process-cpu.ts";

export const name = "geocode-memory";
export const summary =
  "What an isolate holds during thousands of mixed questions for names, addresses and places, with all layers of an extract.";

const ENDPOINTS = [
  "forwardGeocode",
  "autocomplete",
  "reverseGeocode",
  "searchPlaces",
  "validateAddress",
  "context",
  "geocodeBatch",
];
/** Looked at after so many requests. */
const EVERY = 500;
const GOAL_MB = 100;
const HOUSES = 1500;
const CITIES = 3000;

/** BENCH_REQUESTS: how many (10,000), over the world base, the demo world and Porto. */
export async function run(report: Report): Promise<void> {
  const count = Number(process.env.BENCH_REQUESTS ?? 10_000);
  process.env.INSPECT ??= String(await freePort());
  const platform = await startWithGeodata(ENDPOINTS);
  let watch: HeapWatch | undefined;
  try {
    const wake = () => send(platform, { path: "/v1/ping" });
    watch = await HeapWatch.open(Number(process.env.INSPECT), wake);
    await wake();
    const looks: HeapUse[] = [await watch.used()];
    const requests = new Mix(await housesIn(platform, HOUSES), platform.keys);
    const times = new Map<string, number[]>();
    let resident = 0;
    for (let n = 1; n <= count; n++) {
      const [kind, request] = requests.next();
      const began = performance.now();
      const { status, text } = await send(platform, request);
      if (status !== 200) throw new Error(`${request.path} answered ${status}: ${text.slice(0, 300)}`);
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - began]);
      if (n % EVERY > 0 && n < count) continue;
      looks.push(await watch.used());
      resident = Math.max(resident, residentBytes(platform.pid));
    }
    const label = `${count.toLocaleString("en-US")} questions`;
    const most = (of: (look: HeapUse) => number) => Math.max(...looks.map(of)) / 2 ** 20;
    report({
      case: label,
      metric: "before the first",
      value: (looks[0].objects + looks[0].buffers) / 2 ** 20,
      unit: "MB",
    });
    const both = most(({ objects, buffers }) => objects + buffers);
    report({ case: label, metric: "most in use", value: both, unit: "MB", baseline: GOAL_MB });
    report({ case: label, metric: "most of objects", value: most(({ objects }) => objects), unit: "MB" });
    report({ case: label, metric: "most of buffers", value: most(({ buffers }) => buffers), unit: "MB" });
    const [last] = looks.slice(-1);
    report({ case: label, metric: "at the end", value: (last.objects + last.buffers) / 2 ** 20, unit: "MB" });
    report({ case: label, metric: "most memory of workerd", value: resident / 2 ** 20, unit: "MB" });
    report({ case: label, metric: "isolates begun anew", value: watch.restarts, unit: "", baseline: 0 });
    for (const [kind, took] of times) {
      report({ case: label, metric: `${kind} (${took.length}) p50`, value: percentile(took, 0.5), unit: "ms" });
    }
  } finally {
    watch?.close();
    await platform.stop();
  }
}

/** Questions of all kinds, always the same ones: whole and misspelt addresses, cities of the world, every key of a text, points. */
class Mix {
  readonly #houses: readonly SampledHouse[];
  readonly #keys: { testPublishable: string; testSecret: string };
  readonly #draw = randomFrom(11);
  readonly #cities = worldCities()
    .slice(0, CITIES * 5)
    .filter((_, i) => i % 5 === 0);

  constructor(houses: readonly SampledHouse[], keys: { testPublishable: string; testSecret: string }) {
    this.#houses = houses;
    this.#keys = keys;
  }

  next(): [kind: string, request: LoadRequest] {
    const kinds = {
      "forward, address": () => this.#get("geocode/forward", { query: full(this.#house()) }),
      "forward, a mistake": () => this.#get("geocode/forward", { query: this.#misspelt() }),
      "forward, city": () => this.#get("geocode/forward", { query: this.#city() }),
      "a keystroke": () => this.#keystroke(),
      reverse: () => this.#get("geocode/reverse", { coordinates: this.#at(this.#house()) }),
      "reverse, anywhere": () => this.#get("geocode/reverse", { coordinates: this.#anywhere() }),
      places: () => {
        const category = this.#pick(["restaurant", "cafe", "bank", "hotel-lodging", "food-beverage"]);
        return this.#get("search/places", { near: this.#at(this.#house()), categories: category, radius: "2000" });
      },
      context: () => this.#get("context", { coordinates: this.#at(this.#house()) }),
      validate: () => this.#validate(),
      batch: () => this.#batch(),
    };
    const kind = this.#pick(Object.keys(kinds)) as keyof typeof kinds;
    return [kind, kinds[kind]()];
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#draw() * list.length)];
  }

  #house(): SampledHouse {
    return this.#pick(this.#houses);
  }

  #city(): string {
    const { name: own, country } = this.#pick(this.#cities);
    return `${own}, ${countryName(country)}`;
  }

  #misspelt(): string {
    const house = this.#house();
    const made = mistake(house.street, this.#pick(Object.values(MISTAKES)), this.#draw);
    return full({ ...house, street: made?.text ?? house.street });
  }

  #keystroke(): LoadRequest {
    const house = this.#house();
    const text = this.#draw() < 0.5 ? line(house) : this.#city();
    const near = this.#at({ at: around(house, this.#draw) });
    return this.#get("search/autocomplete", { query: text.slice(0, 1 + Math.floor(this.#draw() * text.length)), near });
  }

  #validate(): LoadRequest {
    const house = this.#pick(this.#houses.filter(({ countryCode }) => countryCode === "US" || countryCode === "CA"));
    const { number, street, city, stateCode, postalCode, countryCode } = house;
    return this.#get("addresses/validate", {
      addressLabel: `${number} ${street}`,
      city,
      stateCode,
      countryCode,
      ...(postalCode && { postalCode }),
    });
  }

  #batch(): LoadRequest {
    const rows = Array.from({ length: 25 }, () => ({ query: full(this.#house()) }));
    const headers = { Authorization: this.#keys.testSecret };
    return { method: "POST", path: "/v1/geocode/batch", headers, body: { rows } };
  }

  #at({ at: { latitude, longitude } }: { at: SampledHouse["at"] }): string {
    return `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
  }

  #anywhere(): string {
    return `${(this.#draw() * 170 - 85).toFixed(4)},${(this.#draw() * 360 - 180).toFixed(4)}`;
  }

  #get(path: string, query: Record<string, string>): LoadRequest {
    return {
      path: `/v1/${path}?${new URLSearchParams(query)}`,
      headers: { Authorization: this.#keys.testPublishable },
    };
  }
}
