import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileRange } from "../common/file-range.ts";
import { writeFully } from "../common/write-fully.ts";
import { indexOf, readIndex } from "../frame/stores/staged-index.ts";
import type { StagedLayer } from "../frame/stores/staged-output.ts";

/** Written at a time [characters]. */
const PIECE = 1 << 20;

/**
 * The text of objects.json (`ObjectList`), by ascending key, written object after object next to the first pack: a country has
 * tens of megabytes of it.
 */
export async function writeObjectList(
  layers: readonly { staged: StagedLayer; pack: string }[],
): Promise<FileRange & { sha256: string }> {
  const path = join(dirname(layers[0].pack), "objects.json");
  // Every key begins with its layer's name and a slash.
  const sorted = [...layers].sort((a, b) => (`${a.staged.name}/` < `${b.staged.name}/` ? -1 : 1));
  const hash = createHash("sha256");
  const file = await open(path, "w");
  let length = 0;
  const put = async (text: string) => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    await writeFully(file, [bytes], length);
    length += bytes.length;
  };
  try {
    let text = "{";
    for (const { pack } of sorted) {
      for await (const { key, length: size, sha256 } of readIndex(indexOf(pack))) {
        if (length + text.length > 1) text += ",";
        text += `${JSON.stringify(key)}:[${size},"${sha256}"]`;
        if (text.length < PIECE) continue;
        await put(text);
        text = "";
      }
    }
    await put(`${text}}`);
  } finally {
    await file.close();
  }
  return { path, offset: 0, length, sha256: hash.digest("hex") };
}
