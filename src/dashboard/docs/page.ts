/**
 * Features of the /docs pages beyond reading: tabs, copying, search over all pages, and trying an endpoint of the
 * running server. Without this script the pages are still readable. The file is served as it is, and imports only search.ts.
 */

import { entriesOf, type Reference, type Searched, search, stemOf } from "./search.ts";

/** Appends nodes one by one, because the Workers types redefine `append`. */
const put = (into: Node, ...children: (Node | string)[]): void => {
  for (const child of children) into.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
};

const putFirst = (into: Node, child: Node): void => {
  into.insertBefore(child, into.firstChild);
};

const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Record<string, unknown>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  put(element, ...children);
  return element;
};

// The reader's choices and input are stored only on this machine.
const readChoice = (name: string): string => {
  try {
    return localStorage.getItem(`graticule-docs-${name}`) ?? "";
  } catch {
    return "";
  }
};
const storeChoice = (name: string, value: string): void => {
  try {
    localStorage.setItem(`graticule-docs-${name}`, value);
  } catch {
    // a browser that keeps nothing
  }
};

// ── keys and host in the examples

const written = new Map<Text, string>();
for (const code of document.querySelectorAll("pre code, pre.curl")) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) written.set(node as Text, (node as Text).data);
}

function fillIn(): void {
  const values: Record<string, string> = {
    $HOST: location.origin,
    $PUBLISHABLE: readChoice("publishable"),
    $SECRET: readChoice("secret"),
  };
  for (const [node, text] of written)
    node.data = rewrite(text).replace(/\$(HOST|PUBLISHABLE|SECRET)\b/g, (name) => values[name] || name);
}

// A map that the reader moves rewrites the examples that show it (live-map.ts).
let rewrite = (text: string): string => text;
document.addEventListener("graticule:shown", (event) => {
  rewrite = (event as CustomEvent<typeof rewrite>).detail;
  fillIn();
});

const keys = document.getElementById("keys");
if (keys) {
  put(keys, make("p", {}, "Your test keys fill in the examples; they stay in this browser. npm run dev prints them."));
  for (const [name, label] of [
    ["publishable", "Test publishable key"],
    ["secret", "Test secret key"],
  ]) {
    const field = make("input", {
      id: `key-${name}`,
      value: readChoice(name),
      className: "mono",
      autocomplete: "off",
      spellcheck: false,
    });
    field.placeholder = `prj_test_${name === "secret" ? "sk" : "pk"}_…`;
    field.addEventListener("input", () => {
      storeChoice(name, field.value.trim());
      fillIn();
      if (name === "publishable") document.dispatchEvent(new CustomEvent("graticule:key"));
    });
    put(keys, make("label", {}, label, field));
  }
}
fillIn();

// ── tabs and copying

const copyButton = (text: () => string): HTMLButtonElement => {
  const button = make("button", { type: "button", className: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  return button;
};

/** The line above an example: its caption, and a button that copies it. */
const barOf = (caption: Node, text: () => string | null) =>
  make(
    "div",
    { className: "bar" },
    caption,
    copyButton(() => text() ?? ""),
  );

const showers: ((tab: string) => void)[] = [];
let groups = 0;
for (const figure of document.querySelectorAll<HTMLElement>("figure.tabs")) {
  const panels = [...figure.querySelectorAll<HTMLElement>("[data-tab]")];
  const group = `tabs-${groups++}`;
  const list = make("div", { role: "tablist", "aria-label": "Language" });
  const buttons = panels.map((panel, i) => {
    const tab = panel.dataset.tab ?? "";
    const button = make("button", { type: "button", role: "tab", id: `${group}-${i}` }, tab);
    button.setAttribute("aria-controls", `${group}-panel-${i}`);
    panel.id = `${group}-panel-${i}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", button.id);
    button.addEventListener("click", () => {
      // Keep the scroll position when all examples change their language.
      const before = button.getBoundingClientRect().top;
      storeChoice("language", tab);
      for (const show of showers) show(tab);
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
    });
    button.addEventListener("keydown", ({ key }) => {
      const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const next = buttons[(i + step + buttons.length) % buttons.length];
      if (step !== 0) {
        next.focus();
        next.click();
      }
    });
    return button;
  });
  put(list, ...buttons);
  const shown = () => panels.find(({ hidden }) => !hidden) ?? panels[0];
  putFirst(
    figure,
    barOf(list, () => shown().textContent),
  );
  showers.push((tab) => {
    const at = Math.max(
      0,
      panels.findIndex((panel) => panel.dataset.tab === tab),
    );
    panels.forEach((panel, i) => {
      panel.hidden = i !== at;
      buttons[i].setAttribute("aria-selected", String(i === at));
      buttons[i].tabIndex = i === at ? 0 : -1;
    });
  });
}
for (const show of showers) show(readChoice("language"));

for (const figure of document.querySelectorAll<HTMLElement>("figure.code:not(.tabs)")) {
  const caption = figure.querySelector("figcaption");
  const pre = figure.querySelector("pre");
  if (!caption || !pre) continue;
  putFirst(
    figure,
    barOf(caption, () => pre.textContent),
  );
}
for (const pre of document.querySelectorAll<HTMLElement>("pre.curl")) {
  const figure = make("figure", { className: "code" });
  pre.parentNode?.insertBefore(figure, pre);
  const caption = make("figcaption", {}, pre.dataset.language ?? "curl");
  put(
    figure,
    barOf(caption, () => pre.textContent),
    pre,
  );
}

// ── search over all pages

let everything: Promise<Searched[]> | undefined;

async function loadIndex(): Promise<Searched[]> {
  const [guides, reference] = await Promise.all([
    fetch("/docs/files/search.json").then(
      (answer) => answer.json() as Promise<Searched[]>,
      () => [],
    ),
    fetch("/openapi.json").then((answer) => answer.json() as Promise<Reference>),
  ]);
  return [...guides, ...entriesOf(reference)];
}

/** The words around the first of those that were looked for. */
function excerptOf({ text }: Searched, query: string): (Node | string)[] {
  const word = stemOf(query.trim().split(/\s+/)[0].toLowerCase());
  const at = text.toLowerCase().indexOf(word);
  if (at < 0) return [text.slice(0, 90)];
  const from = Math.max(0, at - 40);
  return [
    text.slice(from, at),
    make("mark", {}, text.slice(at, at + word.length)),
    text.slice(at + word.length, at + 60),
  ];
}

const find = document.getElementById("find");
if (find) {
  const field = make("input", {
    id: "query",
    type: "search",
    placeholder: "Search  ( / )",
    "aria-label": "Search all pages",
    autocomplete: "off",
  });
  const list = make("div", { id: "found", role: "region", "aria-label": "Found", hidden: true });
  put(find, field, list);
  const look = async () => {
    const query = field.value.trim();
    list.hidden = query === "";
    if (query === "") return;
    everything ??= loadIndex();
    const results = search(await everything, query);
    if (field.value.trim() !== query) return;
    list.replaceChildren(
      ...results.map((one) =>
        make(
          "a",
          { href: one.href },
          make("b", {}, one.title),
          ` ${one.page === one.title ? "" : one.page}`,
          make("span", {}, ...excerptOf(one, query)),
        ),
      ),
      ...(results.length === 0 ? [make("p", {}, `No results for “${query}”.`)] : []),
    );
  };
  field.addEventListener("input", () => void look());
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") list.hidden = true;
    else if (
      (event.key === "ArrowDown" || event.key === "ArrowUp") &&
      !list.hidden &&
      find.contains(document.activeElement)
    ) {
      event.preventDefault();
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
      stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
    } else if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !find.contains(target)) list.hidden = true;
    if (target instanceof HTMLAnchorElement && list.contains(target)) list.hidden = true;
  });
}

// On a phone the contents open when they are wanted.
if (matchMedia("(max-width: 52rem)").matches)
  for (const details of document.querySelectorAll<HTMLDetailsElement>("nav details")) details.open = false;

// ── trying an endpoint

interface TriedRequest {
  method: string;
  path: string;
  level: string;
  query: string[];
  body?: string;
}

for (const button of document.querySelectorAll<HTMLDetailsElement>("details.try")) {
  button.addEventListener("toggle", () => button.open && button.childElementCount === 1 && openTry(button));
}

function openTry(details: HTMLDetailsElement): void {
  const tried = JSON.parse(details.dataset.request ?? "{}") as TriedRequest;
  const article = details.closest("article")?.id ?? "";
  const fields = new Map<string, HTMLInputElement>();
  const line = (name: string, value = "") => {
    const field = make("input", { value, className: "mono", autocomplete: "off", spellcheck: false });
    fields.set(name, field);
    return make("label", {}, name, field);
  };
  const inPath = [...tried.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const box = make("div", { className: "fields" });
  const level = tried.level === "secret" ? "secret" : "publishable";
  if (tried.level !== "open") {
    const label = line("Authorization", readChoice(level));
    const field = fields.get("Authorization") as HTMLInputElement;
    field.placeholder = `prj_test_${level === "secret" ? "sk" : "pk"}_…`;
    field.addEventListener("change", () => storeChoice(level, field.value.trim()));
    put(box, label);
  }
  for (const name of inPath) put(box, line(`:${name}`));
  for (const one of tried.query) put(box, line(one.split("=")[0], one.split("=").slice(1).join("=")));
  const body =
    tried.body === undefined
      ? undefined
      : make("textarea", { value: tried.body, className: "mono", spellcheck: false });
  const send = make("button", { type: "button", className: "go" }, "Send");
  const output = make("output", { "aria-live": "polite" });
  send.addEventListener("click", async () => {
    const value = (name: string) => fields.get(name)?.value.trim() ?? "";
    output.replaceChildren(...(await responseOf(tried, value, body?.value, article)));
  });
  put(details, box, ...(body ? [make("label", {}, "Body", body)] : []), send, output);
}

/** Sends the request, and shows its response. */
async function responseOf(
  { method, path: pattern, query: names }: TriedRequest,
  value: (name: string) => string,
  body: string | undefined,
  article: string,
): Promise<HTMLElement[]> {
  const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(value(`:${name}`)));
  const query = new URLSearchParams(
    names.map((one) => one.split("=")[0]).flatMap((name) => (value(name) ? [[name, value(name)]] : [])),
  );
  const headers: Record<string, string> = value("Authorization") ? { Authorization: value("Authorization") } : {};
  if (body) headers["Content-Type"] = "application/json";
  const began = performance.now();
  try {
    const answer = await fetch(`${path}${query.size > 0 ? `?${query}` : ""}`, {
      ...{ method, headers, credentials: "omit" },
      ...(body ? { body } : {}),
    });
    const ms = Math.round(performance.now() - began);
    const type = answer.headers.get("content-type") ?? "";
    const code = make("span", { className: "status" }, String(answer.status));
    const status = make("p", {}, code, ` ${type.split(";")[0]}, ${ms} ms`);
    if (type.startsWith("image/"))
      return [status, make("img", { src: URL.createObjectURL(await answer.blob()), alt: "Response image" })];
    const text = await answer.text();
    const isJson = type.includes("json") && text;
    const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 100_000);
    return [status, make("pre", { tabIndex: 0, role: "group", "aria-label": `response of ${article}` }, shown)];
  } catch (error) {
    return [make("p", {}, `The request was not sent: ${error instanceof Error ? error.message : error}`)];
  }
}
