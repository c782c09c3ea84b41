/**
 * Texts with placeholders for an event's data, so that a message has the form that a receiver expects, such as Slack or a
 * mail service.
 *
 *     {{event.type}}             the value at this path of the message: {event, user}, or {events, user}
 *     {{user.userId|A device}}   or this text if there is no such value
 *     {{json event.location}}    the value as JSON; null if there is none
 *
 * Values are escaped for the text's media type: as part of a JSON string, for a form, or not at all. There are no loops or
 * conditions.
 */
type Template = readonly Part[];

type Part = string | { path: readonly string[]; json: boolean; fallback: string };

const PLACE = /\{\{([^{}]*)\}\}/g;
const EXPRESSION = /^\s*(json\s+)?([A-Za-z_]\w*(?:\.\w+)*)\s*(?:\|(.*))?$/s;
const MAX_PLACES = 100;

/** @returns the template, or a sentence that explains the problem */
export function parseTemplate(text: string): { template?: Template; problem?: string } {
  const parts: Part[] = [];
  let end = 0;
  for (const place of text.matchAll(PLACE)) {
    const before = text.slice(end, place.index);
    const [, json, path, fallback = ""] = EXPRESSION.exec(place[1]) ?? [];
    if (path === undefined || before.includes("{{"))
      return { problem: `Invalid placeholder: "{{${place[1].slice(0, 40)}}}".` };
    if (before) parts.push(before);
    parts.push({ path: path.split("."), json: json !== undefined, fallback: fallback.trim() });
    end = place.index + place[0].length;
  }
  const rest = text.slice(end);
  if (rest.includes("{{")) return { problem: 'A placeholder begins with "{{" but does not end with "}}".' };
  if (parts.length > 2 * MAX_PLACES) return { problem: `Must have at most ${MAX_PLACES} placeholders.` };
  if (rest) parts.push(rest);
  return { template: parts };
}

/** How values are escaped: for a JSON string, for a form (application/x-www-form-urlencoded), or not at all. */
type Escaping = "json" | "form" | "plain";

export function escapingOf(mediaType: string): Escaping {
  if (/[/+]json\b/i.test(mediaType)) return "json";
  return /x-www-form-urlencoded/i.test(mediaType) ? "form" : "plain";
}

/** @param message the value to which the paths refer */
export function fillIn(template: Template, message: unknown, escaping: Escaping): string {
  let out = "";
  for (const part of template) {
    if (typeof part === "string") {
      out += part;
      continue;
    }
    const value = valueAt(message, part.path);
    const text = part.json ? JSON.stringify(value ?? null) : (plain(value) ?? part.fallback);
    out += part.json && escaping === "json" ? text : escaped(text, escaping);
  }
  return out;
}

function valueAt(message: unknown, path: readonly string[]): unknown {
  let value = message;
  for (const name of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function plain(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function escaped(text: string, escaping: Escaping): string {
  if (escaping === "json") return JSON.stringify(text).slice(1, -1);
  return escaping === "form" ? encodeURIComponent(text) : text;
}
