import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Stands in for wrangler where commands would reach Cloudflare (GRATICULE_WRANGLER): an account in a folder, with a database that is SQLite.
 * Each call is noted in calls.txt; the Worker is at FAKE_URL. FAKE_FAILS "deploy=[code: 10042]" makes the calls that begin so fail with these words.
 */
const account = process.env.FAKE_ACCOUNT as string;
const words = process.argv.slice(2);
const call = words.join(" ");
appendFileSync(join(account, "calls.txt"), `${call}\n`);
const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const [start, ...said] = (process.env.FAKE_FAILS ?? "").split("=");
/** "d1 execute graticule INSERT INTO member": the options between are no part of what begins a call. */
const told = call.startsWith("d1 execute") ? `d1 execute ${option("--command")?.trim()}` : call;
const fileOf = (name: string) => join(account, `${name}.sqlite`);
/** The jurisdictions of databases. */
const placesFile = join(account, "places.json");
const isDry = words.includes("--dry-run");

if (start && !isDry && told.startsWith(start)) {
  console.error(said.join("="));
  process.exitCode = 1;
} else if (isDry) {
  mkdirSync(option("--outdir") as string, { recursive: true });
  writeFileSync(join(option("--outdir") as string, "index.js"), "export default {}");
} else if (call.startsWith("deploy")) {
  const name = option("--env") ? `graticule-${option("--env")}` : "graticule";
  new DatabaseSync(fileOf(name)).close();
  const secrets = option("--secrets-file");
  if (secrets) writeFileSync(join(account, "secrets.json"), readFileSync(secrets));
  const entry = { type: "deploy", targets: [process.env.FAKE_URL ?? `https://${name}.me.workers.dev`] };
  writeFileSync(
    process.env.WRANGLER_OUTPUT_FILE_PATH as string,
    `{"type":"wrangler-session"}\n${JSON.stringify(entry)}\n`,
  );
} else if (call.startsWith("check startup")) {
  const nodes = ["(idle)", "start"].map((functionName, id) => ({ id, callFrame: { functionName } }));
  writeFileSync(
    option("--outfile") as string,
    JSON.stringify({ nodes, samples: [0, 1, 1], timeDeltas: [500, 41_000, 1_000] }),
  );
} else if (call.startsWith("d1 time-travel")) {
  // As wrangler 4 prints with --json.
  const at = words.find((word) => word.startsWith("--timestamp="))?.slice("--timestamp=".length);
  console.log(
    JSON.stringify(at ? { bookmark: `at-${at}` } : { bookmark: "now", previous_bookmark: `before-${words[3]}` }),
  );
} else if (call.startsWith("d1 list")) {
  const names = readdirSync(account).filter((file) => file.endsWith(".sqlite"));
  const places = JSON.parse(existsSync(placesFile) ? readFileSync(placesFile, "utf8") : "{}") as Record<string, string>;
  const all = names.map((file) => file.replace(".sqlite", ""));
  console.log(JSON.stringify(all.map((name) => ({ name, jurisdiction: places[name] ?? null }))));
} else if (call.startsWith("d1 create")) {
  new DatabaseSync(fileOf(words[2])).close();
  const places = JSON.parse(existsSync(placesFile) ? readFileSync(placesFile, "utf8") : "{}") as Record<string, string>;
  writeFileSync(placesFile, JSON.stringify({ ...places, [words[2]]: option("--jurisdiction") }));
} else {
  const database = new DatabaseSync(fileOf(words[call.startsWith("d1 migrations") ? 3 : 2]));
  if (call.startsWith("d1 migrations apply")) {
    database.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
    for (const name of readdirSync("migrations").sort()) {
      if (database.prepare("SELECT 1 FROM d1_migrations WHERE name = ?").get(name)) continue;
      database.exec(readFileSync(join("migrations", name), "utf8"));
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
    }
  } else if (option("--file")) {
    database.exec(`BEGIN; ${readFileSync(option("--file") as string, "utf8")} COMMIT`);
  } else {
    const statements = (option("--command") as string).split(";\n");
    console.log(JSON.stringify(statements.map((sql) => ({ results: database.prepare(sql).all() }))));
  }
  database.close();
}
if (!existsSync(account)) process.exitCode = 1;
