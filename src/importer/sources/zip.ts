import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { ImportError } from "../common/import-error.ts";
import { limitUnpacked } from "./forms/unpack.ts";

/**
 * As much of the ZIP format (PKWARE APPNOTE 6.3) as archives of CSV files need: the directory at the end, entries
 * stored or deflated, no encryption, no archives over 4 GB.
 */
interface ZipEntry {
  name: string;
  size: number;
  packedSize: number;
  crc: number;
  method: number;
  headerOffset: number;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;

/** Unpacks the entries whose names match into `folder`, under their names without folders. Returns the paths. */
export async function unzip(path: string, folder: string, wanted: (name: string) => boolean): Promise<string[]> {
  const file = await open(path);
  try {
    const entries = (await readDirectory(path, file)).filter(({ name }) => wanted(name));
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      // Two counties may have a file of the same name.
      const name = basename(entry.name);
      const isTaken = paths.includes(join(folder, name));
      const target = join(folder, isTaken ? `${paths.length}-${name}` : name);
      await extract(path, file, entry, target);
      paths.push(target);
    }
    return paths;
  } finally {
    await file.close();
  }
}

async function readDirectory(path: string, file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  // The end record has 22 bytes and a comment of up to 65,535.
  const tail = await readAt(path, file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) throw damaged(path);
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  if (count === 0xffff || offset === 0xffffffff) {
    throw new ImportError(`${basename(path)} is a ZIP archive over 4 GB. Unpack it and import its files.`);
  }
  const directory = await readAt(path, file, offset, length);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== DIRECTORY) throw damaged(path);
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      method: directory.readUInt16LE(at + 8) & 1 ? -1 : directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      headerOffset: directory.readUInt32LE(at + 42),
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function extract(path: string, file: FileHandle, entry: ZipEntry, target: string): Promise<void> {
  if (entry.method !== 0 && entry.method !== 8) {
    throw new ImportError(
      `${entry.name} in ${basename(path)} is packed in a way unknown here. Unpack it and import its files.`,
    );
  }
  const header = await readAt(path, file, entry.headerOffset, 30);
  if (header.readUInt32LE(0) !== LOCAL) throw damaged(path);
  const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  let crc = 0;
  let size = 0;
  let packed = 0;
  const check = new Transform({
    transform(chunk: Buffer, _, done) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      // A bomb says a small size and unpacks to a large one.
      done(size > entry.size ? damaged(path) : null, chunk);
    },
  });
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.part`;
  const read = (bytes: number) => {
    packed += bytes;
  };
  const source = Readable.from(chunks(path, file, start, entry.packedSize, read));
  try {
    if (entry.method === 8)
      await pipeline(
        source,
        createInflateRaw(),
        limitUnpacked(path, () => packed),
        check,
        createWriteStream(partial),
      );
    else await pipeline(source, check, createWriteStream(partial));
    if (crc !== entry.crc || size !== entry.size) throw damaged(path);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw (error as NodeJS.ErrnoException).code?.startsWith("Z_") ? damaged(path) : error;
  }
}

async function* chunks(
  path: string,
  file: FileHandle,
  start: number,
  length: number,
  read: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const step = 1 << 18;
  for (let at = 0; at < length; at += step) {
    const bytes = await readAt(path, file, start + at, Math.min(step, length - at));
    read(bytes.length);
    yield bytes;
  }
}

async function readAt(path: string, file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw damaged(path);
  return bytes;
}

function damaged(path: string): ImportError {
  return new ImportError(`${basename(path)} is damaged or cut off. Download it again.`);
}
