import type { DataSource } from "../../../core/geo/builds/manifest.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { whileAway } from "../../geodata/bucket-away.ts";
import { openGeodata } from "../../geodata/live.ts";
import { backgroundPace } from "../../platform/pace.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Endpoint, endpoint } from "../serve/endpoint.ts";
import { CHAPTER_TEXTS, CLOSING_CHAPTERS } from "./docs-chapters.ts";
import { examplesOf } from "./examples.ts";
import { DOCS_POLICY } from "./guide-pages.ts";
import { ANY_ORIGIN, KeptPage } from "./kept-page.ts";
import { openApiDocument, rateText } from "./openapi.ts";
import { pathParameterText } from "./parameter-texts.ts";
import { EndpointSchemas, type JsonSchema as Json } from "./schemas.ts";

/**
 * The two pages about the API, generated from its endpoints: `/openapi.json` and `/docs`.
 *
 * We do not use a reference renderer: Scalar's (@scalar/api-reference, MIT, standalone.js, measured
 * 2026-11-22) is 3.57 MB of script, 0.99 MB compressed, that reads the whole document and draws it in the browser; it
 * requests fonts.scalar.com and proxy.scalar.com by default, and shows neither the chapters' texts nor the tables
 * of live data. The Worker generates this page, which works without a script, and adds a script of a few KB
 * (src/dashboard/docs) for search, copying and trying; it works without a network.
 */
export function referencePages(endpoints: () => readonly Endpoint[]): Endpoint[] {
  const keptDocument = new KeptPage({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=300",
  });
  const keptDocs = new KeptPage({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "public, max-age=60",
    "content-security-policy": DOCS_POLICY,
  });
  const openapi = endpoint({
    name: "openapi",
    method: "GET",
    path: "/openapi.json",
    level: "open",
    rate: "address",
    chapter: "Reference",
    summary: "Returns this API as an OpenAPI 3.1 document.",
    media: ["application/json"],
    handle({ request, env }) {
      const origin = publicOrigin(request, env);
      return keptDocument.answer(request, origin, "", async () =>
        JSON.stringify(
          await openApiDocument(endpoints(), ANY_ORIGIN, backgroundPace(), await examplesOf(env, request)),
        ),
      );
    },
  });
  const docs = endpoint({
    name: "docs",
    method: "GET",
    path: "/docs",
    level: "open",
    rate: "address",
    chapter: "Reference",
    summary: "Returns this API reference as a page.",
    media: ["text/html"],
    async handle(call) {
      const { request, env } = call;
      const origin = publicOrigin(request, env);
      return whileAway(env.GEODATA, call, async (part) => {
        const builds = (await part("geodata", () => openGeodata(env.GEODATA, call)))?.builds;
        // The attributions and some tables depend on the live data.
        const key = builds?.map(({ build }) => build.id).join(" ") ?? "away";
        return keptDocs.answer(request, origin, key, async () => {
          const sources = builds?.flatMap(({ build }) => build.sources) ?? [];
          const tablesOf = async (one: Endpoint) => part("geodata", async () => one.tables?.(call));
          const tables = await Promise.all(
            endpoints().map(async (one) => [one.name, (await tablesOf(one)) ?? []] as const),
          );
          const { answers } = await examplesOf(env, request);
          return page(endpoints(), ANY_ORIGIN, sources, new Map(tables), backgroundPace(), answers);
        });
      });
    },
  });
  return [openapi, docs];
}

/** Cost of an article with existing schemas [units of a pace]. */
const ARTICLE_WORK = 300;

type MoreTables = Awaited<ReturnType<NonNullable<Endpoint["tables"]>>>;

async function page(
  endpoints: readonly Endpoint[],
  origin: string,
  sources: readonly DataSource[],
  tables: ReadonlyMap<string, MoreTables>,
  pace: Pace,
  answers: Readonly<Record<string, unknown>>,
): Promise<string> {
  const chapters = new Map<string, Endpoint[]>();
  for (const one of endpoints) chapters.set(one.chapter, [...(chapters.get(one.chapter) ?? []), one]);
  for (const name of CLOSING_CHAPTERS) chapters.set(name, []);
  const contents = [...chapters].map(
    ([name, some]) =>
      `<section><h2><a href="#${chapterId(name)}">${html(name)}</a></h2><ul>${some
        .map(
          (one) =>
            `<li><a href="#${one.name}"><b class="m ${one.method.toLowerCase()}">${one.method}</b> ${pathHtml(one.path)}</a></li>`,
        )
        .join("")}</ul></section>`,
  );
  const bodies: string[] = [];
  const schemas = await EndpointSchemas.of(endpoints, pace);
  for (const [name, some] of chapters) {
    bodies.push(`<h2 class="chapter" id="${chapterId(name)}">${html(name)}</h2>${CHAPTER_TEXTS[name] ?? ""}`);
    for (const one of some) {
      bodies.push(article(one, schemas, origin, tables.get(one.name) ?? [], answers[one.name]));
      const turn = pace.spend(ARTICLE_WORK);
      if (turn) await turn;
    }
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Graticule API reference</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/files/docs.css"><script src="/docs/files/docs.js" type="module"></script></head><body>
<nav aria-label="Documentation"><a class="brand" href="/docs/guides">Graticule</a><p><a href="/docs/guides">Guides</a> · API reference · <a href="/openapi.json">OpenAPI 3.1</a></p><div id="find"></div><details class="contents" open><summary>Contents</summary>${contents.join("")}</details></nav>
<main id="top"><h1>API reference</h1>
<p>New here? <a href="/docs/getting-started">Getting started</a> takes five minutes, and <a href="/docs/guides">the guides</a> are organized by task.</p><div id="keys"></div>
${opening(origin, answers)}
<p>Every request needs an API key in the header <code>Authorization</code>, except those marked <i>open</i>. Publishable keys (<code>pk</code>) are for clients, secret keys (<code>sk</code>) for servers only; <a href="#chapter-data-access-by-key-type">what each key can read</a>. Test and live data are separate.</p>
<p>POST and PUT bodies are JSON or forms. A success has <code>meta.code</code> 200. An error returns <code>{"meta": {"code", "param", "message"}}</code> with the same HTTP status; <a href="#chapter-errors-and-limits">errors and limits</a>.</p>
${bodies.join("")}
<footer>${credits(sources)}</footer></main></body></html>`;
}

/** The request and the response that open the page: the first result of the stored response, which is what `limit=1` returns. */
function opening(origin: string, answers: Readonly<Record<string, unknown>>): string {
  const { addresses = [], ...rest } = (answers.forwardGeocode ?? {}) as { addresses?: unknown[] };
  const url = `${origin}/v1/geocode/forward?query=${EXAMPLES.query}&limit=1`;
  const curl = `curl "${url}" \\\n  -H "Authorization: prj_test_pk_…"`;
  const answer = addresses.length > 0 ? { ...rest, addresses: addresses.slice(0, 1) } : undefined;
  return `${curlHtml(curl, "the first request")}${exampleOf(answer, "the first response")}`;
}

function curlHtml(text: string, label: string): string {
  return `<pre class="curl" tabindex="0" role="group" aria-label="${html(label)}">${html(text)}</pre>`;
}

/** A stored response, as it came. */
function exampleOf(answer: unknown, label: string): string {
  if (answer === undefined) return "";
  return `<figure class="code answer"><figcaption>Response</figcaption>${code(JSON.stringify(answer, null, 2), label)}</figure>`;
}

function chapterId(name: string): string {
  return `chapter-${name.toLowerCase().replace(/\W+/g, "-")}`;
}

/** The attributions that the live data requires. */
function credits(sources: readonly DataSource[]): string {
  const seen = new Map(sources.map((source) => [source.name, source]));
  if (seen.size === 0) return "No geodata is live yet.";
  const lines = [...seen.values()].map(
    ({ name, url, licence, attribution }) =>
      `<li><a href="${html(url)}">${html(attribution ?? name)}</a> (${html(licence)})</li>`,
  );
  return `<p>Data sources:</p><ul>${lines.join("")}</ul>`;
}

function article(one: Endpoint, schemas: EndpointSchemas, origin: string, more: MoreTables, answer: unknown): string {
  const parts: string[] = [];
  const names = [...one.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  if (names.length > 0) {
    parts.push(
      table(
        "Path",
        Object.fromEntries(
          names.map((name) => [name, { type: "string", description: pathParameterText(one.path, name) }]),
        ),
        new Set(names),
      ),
    );
  }
  for (const [title, part] of [
    ["Query", "query"],
    ["Body", "body"],
  ] as const) {
    if (!one[part]) continue;
    const json = schemas.part(one, part);
    const properties = resolvedFields(json, schemas);
    if (Object.keys(properties).length > 0) parts.push(table(title, properties, new Set(json.required as string[])));
  }
  if (one.response)
    parts.push(
      `<details><summary>Response fields</summary>${code(outline(schemas.part(one, "response"), schemas), `fields of ${one.name}`)}</details>`,
    );
  parts.push(...more.map(moreTable));
  const notes = [one.description, rateText(one)].filter(Boolean).map((text) => `<p>${rich(text as string)}</p>`);
  return `<article id="${one.name}"><h3><b class="m ${one.method.toLowerCase()}">${one.method}</b> ${pathHtml(one.path)} <i>${one.level}</i></h3>
<p class="lead">${html(one.summary)}</p>${curlHtml(curl(one, schemas, origin), `curl of ${one.name}`)}${clientHtml(one, schemas)}${exampleOf(answer, `response of ${one.name}`)}${tryIt(one, schemas)}${notes.join("")}${parts.join("")}</article>`;
}

function code(text: string, label: string): string {
  return `<pre tabindex="0" role="group" aria-label="${html(label)}">${html(text)}</pre>`;
}

/** Endpoints that the page's script turns into a form. Dashboard endpoints need a session, which these pages do not have. */
function tryIt(one: Endpoint, schemas: EndpointSchemas): string {
  if (one.level === "member") return "";
  const names = Object.keys((one.query && schemas.part(one, "query").properties) ?? {});
  const query = names.map((name) => `${name}=${EXAMPLES[name] ?? ""}`.replace("+", " "));
  const body = one.body && JSON.stringify(exampleBody(one, schemas), null, 2);
  const request = { method: one.method, path: one.path, level: one.level, query, body };
  return `<details class="try" data-request="${html(JSON.stringify(request))}"><summary>Try it here</summary></details>`;
}

function exampleBody(one: Endpoint, schemas: EndpointSchemas): Json {
  const body = Object.fromEntries(neededOf(one, "body", schemas).map((name) => [name, EXAMPLES[name] ?? "…"]));
  if (one.name.endsWith("Geofence")) Object.assign(body, { coordinates: [-73.9867, 40.7039], radius: 100 });
  return body;
}

/** The required fields. */
function neededOf(one: Endpoint, part: "query" | "body", schemas: EndpointSchemas): string[] {
  return one[part] ? ((schemas.part(one, part).required as string[] | undefined) ?? []) : [];
}

/** The fields of a schema, without references. */
function resolvedFields(schema: Json, schemas: EndpointSchemas): Record<string, Json> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return Object.fromEntries(fields.map(([name, field]) => [name, schemas.resolved(field)]));
}

function moreTable({ caption, rows, empty = "" }: MoreTables[number]): string {
  if (rows.length === 0) return `<p>${rich(empty)}</p>`;
  const lines = rows.map(([name, value]) => `<tr><td>${rich(name)}</td><td class="text">${rich(value)}</td></tr>`);
  return `<div class="scroll" tabindex="0" role="group" aria-label="table"><table class="fields"><caption>${html(caption)}</caption><tbody>${lines.join("")}</tbody></table></div>`;
}

function table(title: string, properties: Record<string, Json>, required: Set<string>): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    return `<tr><td><code>${html(name)}</code>${required.has(name) ? ' <b class="req">required</b>' : ""}</td><td>${html(typeText(property))}</td><td>${rich(ruleText(property))}</td></tr>`;
  });
  return `<div class="scroll" tabindex="0" role="group" aria-label="table"><table class="fields"><caption>${title}</caption><tbody>${rows.join("")}</tbody></table></div>`;
}

function typeText(property: Json): string {
  if (property.enum) return "string";
  if (property.type === "array") return `list of ${typeText((property.items as Json | undefined) ?? { type: "any" })}`;
  if (Array.isArray(property.type)) return property.type.join(" or ");
  if (Array.isArray(property.anyOf) && property.type === undefined)
    return [...new Set(property.anyOf.map((one) => typeText(one as Json)))].join(" or ");
  return String(property.format ?? property.type ?? "any");
}

function ruleText(property: Json): string {
  const rules: string[] = [];
  const values = (property.enum ?? (property.items as Json | undefined)?.enum) as string[] | undefined;
  if (values) rules.push(values.join(", "));
  if (property.maxProperties !== undefined) rules.push(`up to ${property.maxProperties} keys`);
  if (property.default !== undefined) rules.push(`default ${JSON.stringify(property.default)}`);
  if (property.description) rules.push(String(property.description));
  return rules.join("; ");
}

/** A schema as an indented outline of its fields. */
function outline(schema: Json, schemas: EndpointSchemas, indent = ""): string {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries(resolvedFields(schema, schemas))
    .map(([name, property]) => {
      const items = property.type === "array" ? (property.items as Json | undefined) : undefined;
      const inner = schemas.resolved(items ?? property);
      const type = typeText(items ? { ...property, items: inner } : property);
      const head = `${indent}${name}${required.has(name) ? "" : "?"}: ${type}`;
      return inner.properties ? `${head}\n${outline(inner, schemas, `${indent}  `)}` : head;
    })
    .join("\n");
}

const EXAMPLES: Record<string, unknown> = {
  query: "Meridale",
  near: "40.7039,-73.9867",
  coordinates: "40.7039,-73.9867",
  deviceId: "phone-1",
  latitude: 40.7039,
  longitude: -73.9867,
  accuracy: 10,
  description: "Our office",
  city: "Brooklyn",
  stateCode: "NY",
  postalCode: "11201",
  countryCode: "US",
  addressLabel: "20+Jay+St",
  type: "circle",
};

function curl(one: Endpoint, schemas: EndpointSchemas, origin: string): string {
  const query = [...neededOf(one, "query", schemas), ...(one.shows ?? [])].map(
    (name) => `${name}=${EXAMPLES[name] ?? "…"}`,
  );
  const lines = [
    `curl ${one.method === "GET" ? "" : `-X ${one.method} `}"${origin}${one.path}${query.length > 0 ? `?${query.join("&")}` : ""}"`,
  ];
  if (one.level === "member")
    lines.push('-H "x-graticule-project: 1" -H "x-graticule-environment: test" -b "__Host-graticule=…"');
  else if (one.level !== "open") lines.push(`-H "Authorization: prj_test_${one.level === "secret" ? "sk" : "pk"}_…"`);
  if (one.body) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(exampleBody(one, schemas))}'`);
  }
  return lines.join(" \\\n  ");
}

/** The same request with graticule-client, which has no operations of the dashboard, and no pages. */
function clientHtml(one: Endpoint, schemas: EndpointSchemas): string {
  if (one.level === "member" || one.name === "mcp" || one.peer || one.media?.includes("text/html")) return "";
  const input: Json = Object.fromEntries([...one.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, "…"]));
  for (const part of ["query", "body"] as const) {
    const fields = one[part] ? resolvedFields(schemas.part(one, part), schemas) : {};
    const shown = part === "query" ? (one.shows ?? []) : [];
    for (const name of [...neededOf(one, part, schemas), ...shown])
      if (fields[name]) input[name] = sampleOf(name, fields[name], schemas);
  }
  const values = JSON.stringify(input, null, 1)
    .replace(/^( *)"(\w+)":/gm, "$1$2:")
    .replace(/\n\s*/g, " ");
  const text = `await graticule.${one.name}(${values === "{}" && !one.body ? "" : values});`;
  return `<pre class="curl" data-language="graticule-client" tabindex="0" role="group" aria-label="client of ${one.name}">${html(text)}</pre>`;
}

/** A value of the type that a schema describes: the example of this name where it fits. */
function sampleOf(name: string, schema: Json, schemas: EndpointSchemas): unknown {
  const own = schemas.resolved(schema);
  const given = EXAMPLES[name];
  const [first] = (own.anyOf ?? own.oneOf ?? []) as Json[];
  if (first) return sampleOf(name, first, schemas);
  if (own.const !== undefined) return own.const;
  if (Array.isArray(own.enum)) return own.enum.includes(given) ? given : own.enum[0];
  if (own.type === "array") {
    if (name === "coordinates") return [-73.9867, 40.7039];
    return [sampleOf(name, (own.items as Json | undefined) ?? {}, schemas)];
  }
  if (own.type === "number" || own.type === "integer") return typeof given === "number" ? given : 1;
  if (own.type === "boolean") return true;
  if (own.type === "object") {
    const fields = resolvedFields(own, schemas);
    const required = ((own.required as string[] | undefined) ?? []).filter((field) => fields[field]);
    return Object.fromEntries(required.map((field) => [field, sampleOf(field, fields[field], schemas)]));
  }
  return typeof given === "string" ? given.replaceAll("+", " ") : "…";
}

function pathHtml(path: string): string {
  return `<code>${html(path).replace(/:(\w+)/g, "<var>:$1</var>")}</code>`;
}

/** Text in which `code` stands between backticks. */
function rich(text: string): string {
  return html(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
