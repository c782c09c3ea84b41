/**
 * The tags of an XML text, without checking that it is well-formed. Not a parser: `sax`, which is one, needs about ten
 * times as long for a GPX file, and a trace may have 4 MB. Each character is read a fixed number of times, and no tag
 * is stored.
 */
interface XmlTag {
  /** Without the prefix of a namespace. */
  name: string;
  /** Reads the attributes, by name without a prefix. */
  attributes(): ReadonlyMap<string, string>;
  /** </name> */
  isEnd: boolean;
  /** <name/> */
  isEmpty: boolean;
  /** Index of the first character after the tag. */
  end: number;
}

/** Markup to skip, by how it begins and ends; the longest beginnings first. */
const SKIPPED = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
] as const;

/** "!" and "?" */
const isSkipped = (code: number) => code === 33 || code === 63;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Yields the tags in order. Ends at unclosed markup. */
export function* tagsOf(text: string): Generator<XmlTag> {
  let at = text.indexOf("<");
  while (at >= 0) {
    const skipped = isSkipped(text.charCodeAt(at + 1)) && SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const close = text.indexOf(skipped[1], at + skipped[0].length);
      if (close < 0) return;
      at = text.indexOf("<", close + skipped[1].length);
      continue;
    }
    const close = endOfTag(text, at + 1);
    if (close < 0) return;
    yield tagAt(text, at + 1, close);
    at = text.indexOf("<", close + 1);
  }
}

/**
 * The text from an index to the next tag: the content of an element without child elements. CDATA and entities are
 * resolved.
 */
export function textUntilTag(text: string, from: number): string {
  let content = "";
  for (let at = from; ; ) {
    const next = text.indexOf("<", at);
    content += decoded(text.slice(at, next < 0 ? text.length : next));
    if (next < 0 || !text.startsWith("<![CDATA[", next)) return content;
    const close = text.indexOf("]]>", next);
    if (close < 0) return content;
    content += text.slice(next + 9, close);
    at = close + 3;
  }
}

const GREATER = 62;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** The index of the ">" that ends a tag, ignoring those in quoted values. -1: the tag is not closed. */
function endOfTag(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === GREATER) return i;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      i = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", i + 1);
      if (i < 0) return -1;
    }
  }
  return -1;
}

function tagAt(text: string, from: number, close: number): XmlTag {
  const isEnd = text[from] === "/";
  const isEmpty = !isEnd && text[close - 1] === "/";
  const begin = isEnd ? from + 1 : from;
  let nameEnd = begin;
  while (nameEnd < close && !isNameEnd(text.charCodeAt(nameEnd))) nameEnd++;
  return {
    name: localName(text.slice(begin, nameEnd)),
    attributes: () => readAttributes(text.slice(nameEnd, close)),
    isEnd,
    isEmpty,
    end: close + 1,
  };
}

/** @param text the part of a tag after its name: searches must not go beyond it */
function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  for (;;) {
    const equals = text.indexOf("=", at);
    if (equals < 0) return attributes;
    let quote = equals + 1;
    while (isSpace(text[quote])) quote++;
    const mark = text[quote];
    if (mark !== '"' && mark !== "'") return attributes;
    const end = text.indexOf(mark, quote + 1);
    if (end < 0) return attributes;
    const name = localName(text.slice(at, equals).trim());
    if (!attributes.has(name)) attributes.set(name, decoded(text.slice(quote + 1, end)));
    at = end + 1;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** A space, a control character, or "/". */
function isNameEnd(code: number): boolean {
  return code <= 32 || code === 47;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

/** Resolves the five entities of XML and character references; others stay unchanged. */
function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#?\w{1,8});/g, (entity, name: string) => {
    if (name[0] !== "#") return ENTITIES[name] ?? entity;
    const code = name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
