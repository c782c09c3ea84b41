import { Marked, type RendererObject, type Token, type Tokens } from "marked";
import { type Example, javascriptOf, parseExample, pythonOf, shellOf, trackedDevice } from "./example.ts";

/** A guide: Markdown with a line `<!-- group: Start · order: 1 -->`, a title, a summary, and examples (example.ts). */
export interface Guide {
  /** Its name in the address: docs/guides/trips.md is /docs/trips. */
  name: string;
  title: string;
  summary: string;
  group: string;
  order: number;
  html: string;
  headings: { id: string; text: string; depth: number }[];
  /** Searchable text by heading. */
  sections: { id: string; title: string; text: string }[];
  steps: Step[];
}

/** An example and the response shown below it. */
interface Step {
  example: Example;
  /** The commands for a shell (shellOf). */
  shell: string;
  answer?: Shown;
}

/** A shown answer: `json answer`, perhaps with `only=events.type,user.geofences` where the rest is left out. */
export interface Shown {
  text: string;
  only: string[];
  /** Position of the text in the guide's source. */
  at: number;
}

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The parts of a guide that are run, in order. */
export function stepsOf(source: string): Step[] {
  const steps: Step[] = [];
  const shells = new Shells();
  for (const { info, text, at } of fences(source)) {
    if (info.startsWith("http ")) {
      const example = parseExample(info, text);
      steps.push({ example, shell: shells.next(example) });
    } else if (/^json answer\b/.test(info)) {
      const last = steps.at(-1);
      if (!last || last.answer) throw new Error("a response has no example before it");
      last.answer = { text, only: /only=(\S+)/.exec(info)?.[1].split(",") ?? [], at };
    }
  }
  return steps;
}

/** The commands of a guide's examples, in their order. */
class Shells {
  readonly #tracked = new Set<string>();

  next(example: Example): string {
    const device = trackedDevice(example);
    const isSoonAfter = device !== undefined && this.#tracked.has(device);
    if (device !== undefined) this.#tracked.add(device);
    return shellOf(example, isSoonAfter);
  }
}

/** The fenced blocks of a Markdown source, with the position of their text. */
export function fences(source: string): { info: string; text: string; at: number }[] {
  return [...source.matchAll(/^```([^\n`]+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: match[1].trim(),
    text: match[2].replace(/\n$/, ""),
    at: (match.index ?? 0) + match[1].length + 4,
  }));
}

/**
 * @param names of all guides: links to their files become links to their pages, links to other files of the repository their names
 * @throws Error where the guide is not as a guide is
 */
export function readGuide(name: string, source: string, names: readonly string[] = []): Guide {
  const [, group, order] = /<!-- group: (.+?) · order: (\d+) -->/.exec(source) ?? [];
  if (!group) throw new Error(`${name}.md has no line <!-- group: … · order: … -->`);
  const headings: Guide["headings"] = [];
  const sections: Guide["sections"] = [];
  const marked = new Marked();
  marked.use({ renderer: rendererOf(names, headings) });
  const tokens = marked.lexer(source.replace(/<!--[\s\S]*?-->/g, ""));
  // Images are next to the guides, and served with the pages' files.
  const html = marked.parser(tokens).replaceAll('src="pictures/', 'src="/docs/files/');
  const first = headings[0];
  if (first?.depth !== 1) throw new Error(`${name}.md has no title`);
  const summary = tokens.find((token) => token.type === "paragraph") as Tokens.Paragraph;
  let heading = 0;
  for (const token of tokens) {
    if (token.type === "heading") sections.push({ ...pick(headings[heading++]), text: "" });
    else if (sections.length > 0) (sections.at(-1) as { text: string }).text += ` ${textOf(token)}`;
  }
  return {
    ...{
      name,
      title: first.text,
      summary: plain(summary?.text ?? "").replace(/\s+/g, " "),
      group,
      order: Number(order),
    },
    html,
    headings,
    sections,
    steps: stepsOf(source),
  };
}

const plain = (text: string) => text.replace(/[`*_]|\[([^\]]*)\]\([^)]*\)/g, "$1");

/** How the parts of a guide are written as HTML; its headings are added to `headings`. */
function rendererOf(names: readonly string[], headings: Guide["headings"]): RendererObject {
  const used = new Set<string>();
  const shells = new Shells();
  return {
    heading({ tokens, depth, text }: Tokens.Heading) {
      let id = plain(text)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "");
      while (used.has(id)) id += "-";
      used.add(id);
      headings.push({ id, text: plain(text), depth });
      const inner = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>`;
      return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(plain(text))}">#</a></h${depth}>`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const [, file, hash = ""] = /([\w-]+)\.md(#.*)?$/.exec(/^[a-z]+:/.test(href) ? "" : href) ?? [];
      // Files beside the guides, such as hosting/Caddyfile, are served as they are.
      const [, beside] = /^(?:monitoring|hosting)\/([\w.-]+)$/.exec(href) ?? [];
      if (beside) return `<a href="/docs/files/${beside}">${inner}</a>`;
      if (file && !names.includes(file)) return `${inner} (<code>${escapeHtml(href.replace(/^(\.\.\/)+/, ""))}</code>)`;
      return `<a href="${escapeHtml(file ? `/docs/${file}${hash}` : href)}">${inner}</a>`;
    },
    code({ text, lang }: Tokens.Code) {
      return codeHtml(lang ?? "", text, shells);
    },
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells
          .map((cell) => {
            // A header without text heads nothing.
            const name = cell.text === "" ? "td" : tag;
            return `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`;
          })
          .join("")}</tr>`;
      const head = token.header.some(({ text }) => text !== "") ? `<thead>${row(token.header, "th")}</thead>` : "";
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`;
    },
  };
}

const pick = ({ id, text }: { id: string; text: string }) => ({ id, title: text });

function textOf(token: Token): string {
  if (token.type === "code" || token.type === "space" || token.type === "html") return "";
  return ("text" in token ? String(token.text) : token.raw)
    .replace(/[`*_|#]|\]\([^)]*\)|\[/g, " ")
    .replace(/\s+/g, " ");
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Shell",
  js: "JavaScript",
  html: "HTML",
  python: "Python",
  go: "Go",
  php: "PHP",
  kotlin: "Kotlin",
  ...{
    swift: "Swift",
    dart: "Dart",
    json: "JSON",
    csv: "CSV",
    ts: "TypeScript",
    toml: "TOML",
    yaml: "YAML",
    text: "Text",
  },
};

function codeHtml(info: string, text: string, shells: Shells): string {
  if (info.startsWith("http ")) return exampleHtml(parseExample(info, text), shells);
  const isAnswer = /^json answer\b/.test(info);
  const shortened = /only=/.test(info) ? ", shortened" : "";
  const language = info.split(/\s+/)[0];
  const caption = isAnswer ? `Response${shortened}` : (LANGUAGES[language] ?? "");
  return `<figure class="code${isAnswer ? " answer" : ""}"><figcaption>${caption}</figcaption>${pre(text, `code: ${caption}`)}</figure>`;
}

function pre(text: string, label: string): string {
  return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}

/** The three tabs; without a script they stand one below the other. */
function exampleHtml(example: Example, shells: Shells): string {
  const panels = [
    ["curl", shells.next(example)],
    ["JavaScript", javascriptOf(example)],
    ["Python", pythonOf(example)],
  ];
  return `<figure class="code tabs">${panels
    .map(([name, text]) => `<div data-tab="${name}">${pre(text, name)}</div>`)
    .join("")}</figure>`;
}
