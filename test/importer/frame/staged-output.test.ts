import { createHash } from "node:crypto";
import { appendFile, mkdtemp, open, readdir, readFile, rm, symlink, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seal, unseal } from "../../../src/core/geo/builds/sealed.ts";
import { crc32c } from "../../../src/core/geo/bytes/crc32c.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import { explainWriteFailure } from "../../../src/importer/common/write-failure.ts";
import { indexOf, readIndex, type StagedObject, stagedFile } from "../../../src/importer/frame/stores/staged-index.ts";
import { type OutputState, StagedOutput } from "../../../src/importer/frame/stores/staged-output.ts";
import { samples } from "../../support/night.ts";

let folder: string;
let pack: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stage-"));
  pack = join(folder, "words.pack");
});
afterEach(() => rm(folder, { recursive: true }));

const text = (bytes: number, letter: string) => Buffer.alloc(bytes, letter);

async function staged(): Promise<Map<string, StagedObject & { content: Uint8Array | undefined }>> {
  const found = new Map();
  for await (const object of readIndex(indexOf(pack))) {
    const file = await open(stagedFile(pack, object.file));
    const bytes = Buffer.alloc(object.length);
    await file.read(bytes, 0, object.length, object.offset);
    await file.close();
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(object.sha256);
    found.set(object.key, { ...object, content: unseal(bytes) });
  }
  return found;
}

describe("a layer's objects", () => {
  it("are sealed, hashed, and listed by key, however they came", async () => {
    const stage = await StagedOutput.create(pack, "words");
    await stage.write("words/b", text(10, "b"));
    const large = await stage.stream("words/a");
    const small = await stage.stream("words/c");
    await stage.write("words/a0", text(0, ""));
    await large.append(text(700_000, "1"));
    await small.append(text(5, "c"));
    await large.append(text(700_000, "2"));
    await large.append(text(3_000_000, "3"));
    await large.append(text(1, "4"));
    expect(large.length).toBe(4_400_001);
    await large.end();
    await small.end();
    expect(await stage.finish(7)).toMatchObject({ name: "words", formatVersion: 7, objects: 4, bytes: 4_400_016 + 32 });
    const objects = await staged();
    expect([...objects.keys()]).toEqual(["words/a", "words/a0", "words/b", "words/c"]);
    expect(objects.get("words/a")).toMatchObject({ file: 1, offset: 0, length: 4_400_009 });
    expect(
      Buffer.compare(
        objects.get("words/a")!.content!,
        Buffer.concat([text(700_000, "1"), text(700_000, "2"), text(3_000_000, "3"), text(1, "4")]),
      ),
    ).toBe(0);
    expect(objects.get("words/a0")!.content).toHaveLength(0);
    // Below a megabyte there is no file for a single object.
    expect(objects.get("words/c")).toMatchObject({ file: 0 });
    expect(Buffer.from(objects.get("words/c")!.content!).toString()).toBe("ccccc");
  });

  it("may be patched where they were written already, in memory and on the disk", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 40 })), { maxLength: 4 }),
        async (sizes, patches) => {
          const stage = await StagedOutput.create(pack, "words");
          const stream = await stage.stream("words/patched");
          const expected = Buffer.concat(sizes.map((size, i) => text(size, String.fromCharCode(97 + i))));
          // Nobody waits for the pieces before.
          await Promise.all(sizes.map((size, i) => stream.append(text(size, String.fromCharCode(97 + i)))));
          for (const [share, size] of patches) {
            const at = Math.floor((share / 1_000_000) * Math.max(0, expected.length - size));
            if (at + size > expected.length) continue;
            await stream.patch(at, text(size, "#"));
            expected.fill("#", at, at + size);
          }
          await stream.end();
          await stage.finish(1);
          expect(Buffer.compare((await staged()).get("words/patched")!.content!, expected)).toBe(0);
        },
      ),
      { seed: 17, numRuns: samples(8, 25) },
    );
  });

  it("cannot be patched behind their end, nor appended to after it", async () => {
    const stage = await StagedOutput.create(pack, "words");
    const stream = await stage.stream("words/a");
    await stream.append(text(4, "a"));
    await expect(stream.patch(2, text(3, "b"))).rejects.toThrow(/cannot be patched/);
    await stream.end();
    await expect(stream.append(text(1, "c"))).rejects.toThrow(/has ended/);
    await expect(stream.end()).rejects.toThrow(/ends once/);
    await stage.abandon();
  });

  it("are not done while one of them has no end", async () => {
    const stage = await StagedOutput.create(pack, "words");
    await (await stage.stream("words/endless")).append(text(2_000_000, "a"));
    await expect(stage.checkpoint()).rejects.toThrow('"words/endless" was begun, but not ended');
    await expect(stage.finish(1)).rejects.toThrow(/not ended/);
    await stage.abandon();
  });

  it("that cannot be written fail the step, with what the system says", async () => {
    const stage = await StagedOutput.create(join(folder, "words.pack"), "words");
    const stream = await stage.stream("words/a");
    // Where the file of its own would be, there is a folder.
    await rm(folder, { recursive: true });
    void stream.append(text(2_000_000, "a")).catch(() => undefined);
    await expect(stream.end()).rejects.toMatchObject({ code: "ENOENT", path: `${pack}.1` });
    await expect(stage.checkpoint()).rejects.toThrow(/not ended/);
    await stage.abandon();
    await import("node:fs/promises").then(({ mkdir }) => mkdir(folder));
  });
});

describe("a stage", () => {
  async function fill(stage: StagedOutput, letter: string, files: number) {
    await stage.write(`words/${letter}`, text(50, letter));
    for (let i = 0; i < files; i++) {
      const stream = await stage.stream(`words/${letter}-${i}`);
      await stream.append(text(1_500_000, letter));
      await stream.end();
    }
    stage.count("words", files + 1);
    stage.note(`note ${letter}`);
    stage.area([1, 2, 3, 4]);
    stage.source({ name: letter, url: "https://example.com", licence: "CC0-1.0" });
    stage.asked.add("dma");
  }

  it("that is interrupted comes back as it was at the checkpoint, and ends with the same bytes", async () => {
    const whole = await StagedOutput.create(pack, "words");
    await fill(whole, "a", 2);
    await fill(whole, "b", 1);
    const expected = { result: await whole.finish(3), objects: await staged() };
    await rm(folder, { recursive: true });
    await import("node:fs/promises").then(({ mkdir }) => mkdir(folder));

    const first = await StagedOutput.create(pack, "words");
    await fill(first, "a", 2);
    const state: OutputState = JSON.parse(JSON.stringify(await first.checkpoint()));
    await fill(first, "c", 3);
    await first.abandon();
    // As a crash leaves them: more than the checkpoint knows.
    await appendFile(`${pack}.journal`, "half a li");
    const second = await StagedOutput.resume(pack, "words", state);
    expect((await readdir(folder)).sort()).toEqual([
      "words.pack",
      "words.pack.1",
      "words.pack.2",
      "words.pack.journal",
    ]);
    await fill(second, "b", 1);
    expect(await second.finish(3)).toEqual(expected.result);
    expect(await staged()).toEqual(expected.objects);
  });

  it("whose disk fills up in the middle of an object says so, and goes on from the checkpoint when there is room", async () => {
    const first = await StagedOutput.create(pack, "words");
    await fill(first, "a", 1);
    const state = await first.checkpoint();
    // The device that is always full stands where the next file would be.
    await symlink("/dev/full", `${pack}.2`);
    const stream = await first.stream("words/large");
    const failure = await (async () => {
      for (let i = 0; i < 8; i++) await stream.append(text(600_000, "l"));
    })().catch(explainWriteFailure);
    expect(failure).toBeInstanceOf(ImportError);
    expect(String(failure)).toMatch(/could not write.*the disk is full.*the same command continues/);
    await expect(first.checkpoint()).rejects.toThrow(/not ended/);
    await first.abandon();

    const second = await StagedOutput.resume(pack, "words", state);
    const again = await second.stream("words/large");
    for (let i = 0; i < 8; i++) await again.append(text(600_000, "l"));
    await again.end();
    expect(await second.finish(1)).toMatchObject({ objects: 3 });
    const objects = await staged();
    expect([...objects.keys()]).toEqual(["words/a", "words/a-0", "words/large"]);
    expect(objects.get("words/large")!.content).toHaveLength(4_800_000);
  });

  it("can be taken up again even after it was finished", async () => {
    const first = await StagedOutput.create(pack, "words");
    await fill(first, "b", 0);
    const state = await first.checkpoint();
    await fill(first, "a", 0);
    const result = await first.finish(1);
    // The layer may still fail, when its room is cleared.
    await first.abandon();
    const second = await StagedOutput.resume(pack, "words", state);
    await fill(second, "a", 0);
    expect(await second.finish(1)).toEqual(result);
    expect([...(await staged()).keys()]).toEqual(["words/a", "words/b"]);
  });

  it("knows its keys after an interruption", async () => {
    const first = await StagedOutput.create(pack, "words");
    await fill(first, "a", 0);
    const state = await first.checkpoint();
    await first.abandon();
    const second = await StagedOutput.resume(pack, "words", state);
    await expect(second.write("words/a", text(1, "a"))).rejects.toThrow(/written twice/);
    await second.abandon();
  });

  it("whose files are damaged says which folder to remove", async () => {
    const first = await StagedOutput.create(pack, "words");
    await fill(first, "a", 0);
    const state = await first.checkpoint();
    await first.abandon();
    await truncate(pack, 10);
    await expect(StagedOutput.resume(pack, "words", state)).rejects.toThrow(`Remove the folder ${folder}`);
    await rm(pack);
    await expect(StagedOutput.resume(pack, "words", state)).rejects.toThrow(`Remove the folder ${folder}`);
  });

  it("has a state that does not grow with its objects", async () => {
    const stage = await StagedOutput.create(pack, "words");
    const size = async () => JSON.stringify(await stage.checkpoint()).length;
    await stage.write("words/first", text(10, "x"));
    const before = await size();
    for (let i = 0; i < 5000; i++) void stage.write(`words/${i}`, text(10, "x"));
    expect(await size()).toBeLessThan(before + 20);
    await stage.finish(1);
    const lines = (await readFile(indexOf(pack), "utf8")).trim().split("\n");
    expect(lines).toHaveLength(5001);
    const keys = lines.map((line) => line.split(" ")[0]);
    expect(keys).toEqual([...keys].sort());
  });
});

describe("a checksum of pieces", () => {
  it("is that of the whole", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (a, b) => {
        const whole = Buffer.concat([a, b]);
        expect(crc32c(b, crc32c(a))).toBe(crc32c(whole));
        expect(unseal(seal(whole))).toEqual(new Uint8Array(whole));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
