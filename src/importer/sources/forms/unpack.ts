import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { ImportError } from "../../common/import-error.ts";
import { systemReason } from "../../common/system-reason.ts";

/** Map data and tables become 5 to 40 times as large. What becomes so many times as large, once it is large at all, is a bomb. */
const MAX_RATIO = 200;
const MAX_SMALL_BYTES = 16e6;

/** Counts what is unpacked. @param packed bytes that were read so far; @throws ImportError for a bomb */
export function limitUnpacked(path: string, packed: () => number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      const bomb = size > MAX_SMALL_BYTES && size > MAX_RATIO * packed();
      done(bomb ? isBomb(path) : null, chunk);
    },
  });
}

const isBomb = (path: string) =>
  new ImportError(
    `${basename(path)} unpacks to more than ${MAX_RATIO} times its size, as no map data does. Check where it comes from.`,
  );

/** Unpacks a .gz file under the given path, which appears when it is complete. @throws ImportError */
export async function gunzipFile(path: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const source = createReadStream(path);
  try {
    await pipeline(
      source,
      createGunzip(),
      limitUnpacked(path, () => source.bytesRead),
      createWriteStream(`${to}.part`),
    );
    await rename(`${to}.part`, to);
  } catch (error) {
    await rm(`${to}.part`, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ImportError || !code?.startsWith("Z_")) throw error;
    throw new ImportError(`${basename(path)} cannot be unpacked: ${systemReason(error)}. Download it again.`);
  }
}
