import unsafe from "workerd:unsafe";

/**
 * Runs statements, stores objects and evicts Durable Objects for tests. Over HTTP and not through Miniflare's stand-ins for bindings: those ask workerd
 * and hold the process of the tests until it answers, while workerd waits for that process to read its log. With many
 * requests under way that is the end of both.
 */
interface Database {
  prepare(query: string): { bind(...values: unknown[]): Statement };
  batch(statements: Statement[]): Promise<{ results: unknown[] }[]>;
}

interface Statement {
  all(): Promise<{ results: unknown[] }>;
}

interface Bindings {
  /** The Worker under test. */
  MAIN: { fetch(request: Request, init: object): Promise<Response> };
  /** One of its Durable Objects; the others have the names of their bindings, too. */
  DEVICE_TRACKER: { getByName(name: string): object };
  DB: Database;
  DB_2: Database;
  DB_EU: Database;
  GEODATA: Bucket;
  BUCKET_EU: Bucket;
}

interface Bucket {
  get(key: string): Promise<{ body: ReadableStream } | null>;
  put(key: string, bytes: ArrayBuffer): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
}

interface Asked {
  /** One transaction. */
  statements: { query: string; bindings: unknown[] }[];
  database: "DB" | "DB_2" | "DB_EU";
}

/** What Cloudflare knows of a connection from the north of Montana, by way of a trusted proxy on this machine. */
const CONNECTION = {
  clientIp: "127.0.0.1",
  latitude: "48.99",
  longitude: "-111.2",
  timezone: "America/Denver",
  city: "Sweet Grass",
  region: "Montana",
  regionCode: "MT",
  postalCode: "59484",
};

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { GEODATA, BUCKET_EU, MAIN } = bindings;
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/evict") {
      const objects = bindings[searchParams.get("object") as "DEVICE_TRACKER"];
      try {
        await unsafe.evict(objects.getByName(searchParams.get("name") ?? ""), {});
        return new Response(null, { status: 204 });
      } catch (error) {
        return new Response(String(error), { status: 500 });
      }
    }
    if (pathname === "/sql") {
      const { statements, database } = (await request.json()) as Asked;
      try {
        const file = bindings[database];
        const answers = await file.batch(statements.map((one) => file.prepare(one.query).bind(...one.bindings)));
        return Response.json(answers.map(({ results }) => results));
      } catch (error) {
        return new Response(String(error), { status: 500 });
      }
    }
    if (pathname === "/from") {
      const asked = new Request(`http://localhost${searchParams.get("path")}`, request);
      return MAIN.fetch(asked, { cf: { ...CONNECTION, country: searchParams.get("country") } });
    }
    if (pathname === "/keys") {
      const bucket = searchParams.get("bucket") === "BUCKET_EU" ? BUCKET_EU : GEODATA;
      const { objects } = await bucket.list({ prefix: searchParams.get("prefix") ?? "" });
      return Response.json(objects.map(({ key }) => key));
    }
    const key = searchParams.get("key") ?? "";
    if (request.method === "PUT") {
      await GEODATA.put(key, await request.arrayBuffer());
      return new Response(null, { status: 204 });
    }
    const object = await (searchParams.get("bucket") === "BUCKET_EU" ? BUCKET_EU : GEODATA).get(key);
    return object ? new Response(object.body) : new Response(null, { status: 404 });
  },
};
