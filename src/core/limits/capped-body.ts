/**
 * The first `limit` bytes of a body, and whether it is complete. Doesn't wait for the rest: an endless response costs
 * no more than a short one.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  if (!body) return { bytes: new Uint8Array(0), complete: true };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes: joined(chunks, size), complete: true };
      if (size + value.byteLength > limit) {
        chunks.push(value.subarray(0, limit - size));
        return { bytes: joined(chunks, limit), complete: false };
      }
      chunks.push(value);
      size += value.byteLength;
    }
  } finally {
    // Closes the connection if there is more; errors here are ignored.
    reader.cancel().catch(() => {});
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.byteLength;
  }
  return out;
}
