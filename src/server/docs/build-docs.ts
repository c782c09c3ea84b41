import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../base/wrangler.ts";
import { escapeHtml, type Guide, readGuide } from "./guide.ts";
import { llmsText, markdownOf } from "./guide-markdown.ts";

/**
 * The guides: each Markdown file in the folder becomes a page. The operator docs, which must be readable without a
 * server, are next to the folder and become pages too.
 */
const DOCS = join(ROOT, "docs");
export const GUIDES = join(DOCS, "guides");
const OPERATION = ["backup", "databases", "deploying", "self-hosting", "upgrading"];
const PICTURES = join(GUIDES, "pictures");
const SCRIPTS = join(ROOT, "src/dashboard/docs");
/** Recorded responses of every endpoint (test/worker/http/reference/shapes.test.ts), used as examples in the reference. */
const EXAMPLES = join(DOCS, "examples");
/** Files that guides link to. */
const BESIDE = ["monitoring", "hosting"].map((folder) => join(DOCS, folder));
const LIVE_MAP = "live-map";

/** Returns the Markdown file of a guide. */
export const guideFile = (name: string) => join(OPERATION.includes(name) ? DOCS : GUIDES, `${name}.md`);

export function readGuides(): Guide[] {
  const names = [...namesIn(GUIDES, ".md").map((file) => file.slice(0, -3)), ...OPERATION];
  const guides = names.map((name) =>
    readGuide(name, withMap(withEvents(readFileSync(guideFile(name), "utf8"))), names),
  );
  return guides.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name));
}

/** In place of a line `<!-- events -->`: a real message of each type of event, as a run has noted them. */
function withEvents(source: string): string {
  return source.replace("<!-- events -->", () => {
    const events = JSON.parse(readFileSync(join(EXAMPLES, "events.json"), "utf8")) as Record<string, { event: object }>;
    return Object.entries(events)
      .map(([type, { event }]) => `### ${type}\n\n\`\`\`json\n${JSON.stringify({ event }, null, 2)}\n\`\`\``)
      .join("\n\n");
  });
}

/** In place of a line `<!-- live map -->`: where src/dashboard/docs/live-map.ts shows a map that moves. Without a script it says so. */
const withMap = (source: string) =>
  source.replace(
    "<!-- live map -->",
    `<div id="${LIVE_MAP}"><p class="live-says">This map requires JavaScript.</p></div>`,
  );

/** MapLibre without blob workers, for pages whose policy allows only same-origin scripts, by its served name. */
const MAPLIBRE: Readonly<Record<string, string>> = {
  "maplibre-gl.js": "maplibre-gl-csp.js",
  "maplibre-gl-worker.js": "maplibre-gl-csp-worker.js",
  "maplibre-gl.css": "maplibre-gl.css",
};

/**
 * Builds the pages of the guides into a folder, dist/dashboard/docs: what the Worker shows below /docs (src/worker/http/reference/guide-pages.ts). Takes
 * some tenths of a second.
 */
export async function buildDocs(folder: string): Promise<void> {
  const files = join(folder, "files");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  const guides = readGuides();
  for (const guide of guides) {
    writeFileSync(join(folder, `${guide.name}.html`), page(guide, guides));
    const source = withEvents(readFileSync(guideFile(guide.name), "utf8"));
    writeFileSync(join(folder, `${guide.name}.md`), markdownOf(source));
  }
  writeFileSync(join(folder, "llms.txt"), llmsText(guides));
  const entries = guides.map(({ name, title, summary }) => ({ name, title, summary }));
  writeFileSync(join(files, "guides.json"), JSON.stringify(entries));
  writeFileSync(join(folder, "guides.html"), contentsPage(guides));
  const index = guides.flatMap(({ name, title, sections }) =>
    sections.map((section) => ({ page: title, href: `/docs/${name}#${section.id}`, ...section })),
  );
  writeFileSync(join(files, "search.json"), JSON.stringify(index));
  const { transformWithOxc } = await import("vite");
  for (const [file, served] of [
    ["page.ts", "docs.js"],
    ["search.ts", "search.js"],
    [`${LIVE_MAP}.ts`, `${LIVE_MAP}.js`],
  ]) {
    const script = join(SCRIPTS, file);
    const { code } = await transformWithOxc(readFileSync(script, "utf8"), script);
    writeFileSync(join(files, served), code.replaceAll('"./search.ts"', '"./search.js"'));
  }
  for (const [served, file] of Object.entries(MAPLIBRE))
    copyFileSync(join(ROOT, "node_modules/maplibre-gl/dist", file), join(files, served));
  writeFileSync(join(files, "docs.css"), readFileSync(join(SCRIPTS, "page.css")));
  for (const [from, names] of [
    [EXAMPLES, namesIn(EXAMPLES, ".json")],
    [PICTURES, namesIn(PICTURES, "")],
    ...BESIDE.map((folder) => [folder, namesIn(folder, "")] as const),
  ] as const)
    for (const name of names) writeFileSync(join(files, name), readFileSync(join(from, name)));
}

function namesIn(folder: string, end: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(end));
  } catch {
    return []; // no such folder: nothing of it is shown
  }
}

function groupsOf(guides: readonly Guide[]): [string, Guide[]][] {
  const groups = new Map<string, Guide[]>();
  for (const guide of guides) groups.set(guide.group, [...(groups.get(guide.group) ?? []), guide]);
  return [...groups];
}

function frame(title: string, here: string, guides: readonly Guide[], main: string): string {
  const scripts = main.includes(`id="${LIVE_MAP}"`)
    ? `<script src="/docs/files/${LIVE_MAP}.js" type="module"></script>`
    : "";
  const link = (href: string, text: string) =>
    `<li><a href="${href}"${href === here ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a></li>`;
  const contents = groupsOf(guides).map(
    ([group, some]) =>
      `<section><h2>${escapeHtml(group)}</h2><ul>${some.map(({ name, title }) => link(`/docs/${name}`, title)).join("")}</ul></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Graticule</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/files/docs.css"><script src="/docs/files/docs.js" type="module"></script>${scripts}</head><body>
<nav aria-label="Documentation"><a class="brand" href="/docs/guides">Graticule</a><div id="find"></div><details class="contents" open><summary>Contents</summary><ul class="top">${link("/docs/guides", "All guides")}${link("/docs", "API reference")}</ul>${contents.join("")}</details></nav>
<main id="top">${main}</main></body></html>`;
}

function page(guide: Guide, guides: readonly Guide[]): string {
  const here = guide.headings.filter(({ depth }) => depth === 2);
  const toc =
    here.length > 2
      ? `<p class="toc"><b>On this page</b> ${here.map(({ id, text }) => `<a href="#${id}">${escapeHtml(text)}</a>`).join(" ")}</p>`
      : "";
  const [title, rest] = guide.html.split(/(?<=<\/h1>)/);
  const at = guides.indexOf(guide);
  const next = guides[at + 1]
    ? `<p class="next">Next: <a href="/docs/${guides[at + 1].name}">${escapeHtml(guides[at + 1].title)}</a></p>`
    : "";
  const keys = guide.steps.length > 0 ? '<div id="keys"></div>' : "";
  return frame(guide.title, `/docs/${guide.name}`, guides, `${title}${toc}${keys}${rest}${next}`);
}

function contentsPage(guides: readonly Guide[]): string {
  const groups = groupsOf(guides).map(
    ([group, some]) =>
      `<h2>${escapeHtml(group)}</h2><ul class="cards">${some
        .map(
          ({ name, title, summary }) =>
            `<li><a href="/docs/${name}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
        )
        .join("")}</ul>`,
  );
  return frame(
    "Guides",
    "/docs/guides",
    guides,
    `<h1>Guides</h1><p>Step-by-step guides for common tasks. Every example was run against this version. The <a href="/docs">API reference</a> describes all endpoints and parameters.</p>${groups.join("")}`,
  );
}
