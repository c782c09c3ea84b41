/**
 * Runs statements and stores objects for tests. Over HTTP and not through Miniflare's stand-ins for bindings: those ask workerd
 * and hold the process of the tests until it answers, while workerd waits for that process to read its log. With many
 * requests under way that is the end of both.
 */
interface Bindings {
  DB: { prepare(query: string): { bind(...values: unknown[]): { all(): Promise<{ results: unknown[] }> } } };
  GEODATA: {
    get(key: string): Promise<{ body: ReadableStream } | null>;
    put(key: string, bytes: ArrayBuffer): Promise<unknown>;
  };
}

export default {
  async fetch(request: Request, { DB, GEODATA }: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/sql") {
      const { query, bindings } = (await request.json()) as { query: string; bindings: unknown[] };
      try {
        const { results } = await DB.prepare(query)
          .bind(...bindings)
          .all();
        return Response.json(results);
      } catch (error) {
        return new Response(String(error), { status: 500 });
      }
    }
    const key = searchParams.get("key") ?? "";
    if (request.method === "PUT") {
      await GEODATA.put(key, await request.arrayBuffer());
      return new Response(null, { status: 204 });
    }
    const object = await GEODATA.get(key);
    return object ? new Response(object.body) : new Response(null, { status: 404 });
  },
};
