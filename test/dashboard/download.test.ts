import { describe, expect, it } from "vitest";
import { download, type Progress, rowCounter, type Sender } from "../../src/dashboard/api/download.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A server that answers three rows at a time, and says where it goes on. */
function server(rows: string[], { breaksAt = Number.POSITIVE_INFINITY } = {}) {
  const asked: (string | undefined)[] = [];
  const send = async (_method: string, _path: string, { query }: Parameters<Sender["send"]>[2]) => {
    const from = Number(query.after ?? 0);
    asked.push(query.after === undefined ? undefined : String(query.after));
    const part = rows.slice(from, from + 3);
    const body = new ReadableStream({
      start(controller) {
        if (from === 0) controller.enqueue(bytes("name\r\n"));
        for (const [i, row] of part.entries()) {
          if (from + i === breaksAt) return controller.error(new TypeError("network error"));
          controller.enqueue(bytes(`${row}\r\n`));
        }
        controller.close();
      },
    });
    const headers = new Headers({
      "x-graticule-rows": String(rows.length - from),
      "content-disposition": 'attachment; filename="graticule-users.csv"',
    });
    if (from + 3 < rows.length) headers.set("x-graticule-next", String(from + 3));
    return new Response(body, { headers });
  };
  return { api: { send }, asked };
}

const run = (api: Sender, signal = new AbortController().signal) => {
  const seen: Progress[] = [];
  return {
    seen,
    done: download(api, "/v1/exports/users", { format: "csv" }, signal, (progress) => seen.push(progress)),
  };
};

describe("a download", () => {
  it("that comes in several answers is one file, and counts its rows against all of them", async () => {
    const { api, asked } = server(["a", "b", "c", "d", "e", "f", "g"]);
    const { seen, done } = run(api);
    const file = await done;
    if (!("blob" in file)) throw new Error(file.message);
    expect(file.name).toBe("graticule-users.csv");
    expect(await file.blob.text()).toBe("name\r\na\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\n");
    expect(asked).toEqual([undefined, "3", "6"]);
    expect(seen.at(-1)).toEqual({ rows: 7, ofRows: 7, bytes: 27 });
    expect(seen.every(({ ofRows }) => ofRows === 7)).toBe(true);
  });

  it("of pages, each with its own header row, has it once", async () => {
    const pages = ["name\r\na\r\nb\r\n", "name\r\n", "name\r\nc\r\n"];
    const asked: unknown[] = [];
    const send = async (_method: string, _path: string, { query }: Parameters<Sender["send"]>[2]) => {
      asked.push(query.cursor);
      const page = Number(query.cursor ?? 0);
      // Each byte by itself: the header row may end in any chunk.
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes(pages[page])) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      return new Response(body, page < 2 ? { headers: { "x-next-cursor": String(page + 1) } } : {});
    };
    const { seen, done } = run({ send });
    const file = await done;
    expect("blob" in file && (await file.blob.text())).toBe("name\r\na\r\nb\r\nc\r\n");
    expect([asked, seen.at(-1)?.rows]).toEqual([[undefined, "1", "2"], 3]);
  });

  it("whose line is cut says so, and is no file", async () => {
    const { done } = run(server(["a", "b", "c", "d"], { breaksAt: 3 }).api);
    expect(await done).toEqual({ status: 0, message: "The connection was lost before the file was complete." });
  });

  it("that was refused says what the server said", async () => {
    const refused = Response.json({ meta: { code: 403, message: "Forbidden." } }, { status: 403 });
    const { done } = run({ send: async () => refused });
    expect(await done).toEqual({ status: 403, message: "Forbidden." });
  });
});

describe("the rows of a file", () => {
  it("of a table are its lines without the first, and without line breaks inside of cells, wherever its bytes are cut", () => {
    const text = 'name,note\r\nAnn,"two\nlines, ""quoted"""\r\nBob,\r\n';
    for (let cut = 0; cut <= text.length; cut++) {
      const count = rowCounter("csv");
      count(bytes(text.slice(0, cut)));
      expect(count(bytes(text.slice(cut)))).toBe(2);
    }
  });

  it("of NDJSON are its lines, of GeoJSON its features", () => {
    expect(rowCounter("ndjson")(bytes('{"a":1}\n{"a":2}\n'))).toBe(2);
    expect(
      rowCounter("geojson")(bytes('{"type":"FeatureCollection","features":[\n{},\n{}\n]}\n')),
    ).toBeGreaterThanOrEqual(2);
  });
});
