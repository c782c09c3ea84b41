/** Inflates raw deflate (RFC 1951), with what Workers, browsers and Node.js provide. @throws Error if the bytes are damaged */
export async function inflateRaw(bytes: Uint8Array): Promise<Uint8Array> {
  const { writable, readable } = new DecompressionStream("deflate-raw");
  const inflated = new Response(readable).arrayBuffer();
  const writer = writable.getWriter();
  // A failed write also makes the read fail, and the error is reported there.
  const written = writer.write(bytes as Uint8Array<ArrayBuffer>).then(() => writer.close());
  written.catch(() => undefined);
  return new Uint8Array(await inflated);
}
