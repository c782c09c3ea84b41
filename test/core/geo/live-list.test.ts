import { describe, expect, it } from "vitest";
import {
  changeLiveBuilds,
  forgotten,
  type LiveListStore,
  NotPossible,
  readLiveBuilds,
  rollBackTarget,
  rolledBack,
  switchedTo,
  takenOff,
} from "../../../src/core/geo/builds/live-list.ts";
import type { LiveBuild, Manifest } from "../../../src/core/geo/builds/manifest.ts";

const manifest = (name: string, id: string): Manifest => ({
  version: 1,
  id,
  name,
  bounds: [0, 0, 1, 1],
  inputs: [],
  sources: [],
  objectsSha256: "",
  layers: { roads: { formatVersion: 1, objects: 1, bytes: 5, counts: {} } },
});

const NOW = Date.parse("2026-11-22T12:00:00Z");

/** A list that others may change between a reading and a writing. */
class SharedList implements LiveListStore {
  text: string | undefined;
  version = 0;
  reads = 0;
  readonly objects = new Map<string, Uint8Array>();
  readonly asked: string[] = [];
  /** Called behind each reading. */
  meanwhile: () => Promise<void> = async () => {};

  async read() {
    this.reads++;
    const now = this.text === undefined ? undefined : { text: this.text, etag: String(this.version) };
    await this.meanwhile();
    return now;
  }

  async write(text: string, onlyIf: string | null) {
    if (onlyIf !== (this.text === undefined ? null : String(this.version))) return false;
    this.text = text;
    this.version++;
    return true;
  }

  async readBeginning(key: string, most: number) {
    this.asked.push(key);
    return this.objects.get(key)?.slice(0, most);
  }

  async writePage(key: string, bytes: Uint8Array) {
    this.objects.set(key, bytes);
  }

  async deletePages(keys: readonly string[]) {
    for (const key of keys) this.objects.delete(key);
  }
}

const idsOf = (builds: readonly LiveBuild[]) => builds.map(({ name, id, previous }) => [name, id, previous.join()]);

describe("the list of live builds", () => {
  it("loses none of many changes at once", async () => {
    const list = new SharedList();
    const names = ["a", "b", "c", "d", "e", "f"];
    list.meanwhile = () => new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all(
      names.map((name) => changeLiveBuilds(list, (builds) => switchedTo(builds, manifest(name, name), NOW))),
    );
    expect((await readLiveBuilds(list)).builds.map(({ name }) => name)).toEqual(names);
    expect(list.reads).toBeGreaterThan(names.length);
  });

  it("that never stands still is given up", async () => {
    const list = new SharedList();
    await changeLiveBuilds(list, (builds) => switchedTo(builds, manifest("a", "1"), NOW));
    list.meanwhile = async () => {
      list.version++;
    };
    await expect(changeLiveBuilds(list, (builds) => takenOff(builds, "a"))).rejects.toThrow(NotPossible);
  });

  it("goes back one build at a time, to five before", () => {
    let builds: LiveBuild[] = [];
    for (let i = 1; i <= 8; i++) builds = switchedTo(builds, manifest("town", `b${i}`), NOW);
    expect(idsOf(builds)).toEqual([["town", "b8", "b7,b6,b5,b4,b3"]]);
    expect(rollBackTarget(builds, "town")).toBe("b7");
    builds = rolledBack(builds, "town", manifest("town", "b7"), NOW);
    expect(idsOf(builds)).toEqual([["town", "b7", "b6,b5,b4,b3"]]);
    expect(idsOf(forgotten(builds, "b5"))).toEqual([["town", "b7", "b6,b4,b3"]]);
    expect(idsOf(switchedTo(builds, manifest("town", "b7"), NOW))).toEqual([["town", "b7", "b6,b5,b4,b3"]]);
    expect(takenOff(builds, "town")).toEqual([]);
  });

  it("says since when a build is live: making it live again changes nothing, going back does", () => {
    const first = switchedTo([], manifest("town", "b1"), NOW);
    expect(first[0].liveSince).toBe("2026-11-22T12:00:00.000Z");
    expect(switchedTo(first, manifest("town", "b1"), NOW + 5000)[0].liveSince).toBe("2026-11-22T12:00:00.000Z");
    const second = switchedTo(first, manifest("town", "b2"), NOW + 60_000);
    expect(second[0].liveSince).toBe("2026-11-22T12:01:00.000Z");
    expect(rolledBack(second, "town", manifest("town", "b1"), NOW + 120_000)[0].liveSince).toBe(
      "2026-11-22T12:02:00.000Z",
    );
  });

  it("does not go back to what was changed meanwhile, nor where there is nothing", () => {
    const builds = switchedTo(switchedTo([], manifest("town", "b1"), NOW), manifest("town", "b2"), NOW);
    expect(() => rolledBack(builds, "town", manifest("town", "b0"), NOW)).toThrow("changed concurrently");
    expect(() => rollBackTarget(builds, "village")).toThrow("No build named village is live.");
    expect(() => rollBackTarget(switchedTo([], manifest("town", "b1"), NOW), "town")).toThrow("no build to go back to");
  });
});
