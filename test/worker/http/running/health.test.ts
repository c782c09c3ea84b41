import { expect, it } from "vitest";
import { get, makeWorld, sql } from "../../../support/world.ts";

it("GET /v1/health reports the databases and buckets that projects need", async () => {
  const { keys } = await makeWorld({ database: "DB_EU" });
  const bindings = async () => (await get("/v1/health", keys.testSecret)).body.bindings;
  expect(await bindings()).toMatchObject({ DB: true, DB_EU: true, BUCKET_EU: true });
  const [{ id }] = await sql<{ id: number }>(
    `INSERT INTO project (name, created_at, "database") VALUES ('unbound', 0, 'DB_US_9') RETURNING id`,
  );
  expect(await bindings()).toMatchObject({ DB_US_9: false, BUCKET_US: false });
  await sql("DELETE FROM project WHERE id = ?", id);
});
