import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { ImportError } from "./import-error.ts";

const CHUNK = 1 << 18;

/** How a text is encoded: by its byte order mark, by its first bytes, or by what its XML declaration says; else UTF-8. */
export function encodingOf(start: Buffer): string {
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0x3c && start[1] === 0)) return "utf-16le";
  if ((start[0] === 0xfe && start[1] === 0xff) || (start[0] === 0 && start[1] === 0x3c)) return "utf-16be";
  const declared = /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/i.exec(
    start.toString("latin1").replace(/^\xef\xbb\xbf/, ""),
  );
  return declared?.[1].toLowerCase() ?? "utf-8";
}

/** The first bytes as text, without a byte order mark. */
export function startOf(start: Buffer): string {
  const encoding = encodingOf(start);
  try {
    return new TextDecoder(encoding).decode(start);
  } catch {
    return start.toString("latin1");
  }
}

/** A text piece by piece. @throws ImportError where it is not what it says it is */
export async function* textOf(path: string, encoding = "utf-8"): AsyncGenerator<string> {
  const name = basename(path);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new ImportError(`${name} says that its encoding is "${encoding}", which is unknown here. Save it as UTF-8.`);
  }
  let line = 1;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: CHUNK })) {
      const text = decoder.decode(piece as Buffer, { stream: true });
      yield text;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new ImportError(
      `${name} is not ${encoding.toUpperCase()} text, after line ${line}. Save it as UTF-8 (iconv -f latin1 -t utf-8).`,
    );
  }
}

/** @throws ImportError for text in another encoding: its names would be read wrong */
export async function checkUtf8(path: string): Promise<void> {
  for await (const _ of textOf(path));
}
