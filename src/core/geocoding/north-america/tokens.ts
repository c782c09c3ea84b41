import { stateCodeOf } from "../parse/states.ts";
import { upper } from "./words.ts";

/** A word of an address line. */
export interface Token {
  /** As it is written, without a comma at its end. */
  text: string;
  /** Upper case, without marks, dots and apostrophes. */
  word: string;
  /** Whether it is preceded by a comma or a line break. */
  breaks: boolean;
}

/** "APT4B", "RR03", "HWY62": a word and its number, written as one. */
const GLUED =
  /^(APT|STE|SUITE|UNIT|RR|HC|HCR|PMB|POB|POBOX|BOX|HWY|RM|BLDG|LOT|SPC|FLR?|PSC|CMR|RTE|RT|CR|FM|SR|NO|LT)(\d+[A-Z]?\d*)$/;
/** "I-10", "US-50", "RR-2" */
const HYPHENATED = /^(I|IH|US|SR|CR|FM|RM|RR|HC|HWY|RT|RTE|SH)-(\d{1,4}[A-Z]?)$/;
/** Longer texts are not addresses; a limit on the work. */
const MAX_COUNT = 64;

/** A line, or a whole address, as words. */
export function tokensOfLine(text: string): Token[] {
  const tokens: Token[] = [];
  const spaced = text
    .normalize("NFC")
    .slice(0, 512)
    .replace(/[–—‑]/g, "-")
    .replace(/[½¼¾]/g, (sign) => ` ${{ "½": "1/2", "¼": "1/4", "¾": "3/4" }[sign]} `)
    .replace(/[\n\r;|]+/g, ", ")
    // "(SEC)", "(rear entrance)" explain; "(Ste B)", "(Bldg 4)", "Québec (Québec)" belong to the address.
    .replace(/\(([^)]*)\)/g, (_, inner: string) => {
      if (stateCodeOf(inner, "CA")) return ` ${inner}`;
      return /\d|\b(?:ste|apt|unit|fl)\b/i.test(inner) ? `, ${inner},` : " ";
    })
    .replace(/[()"“”]/g, " ")
    .replace(/(?<=[\p{L}\d])\.,/gu, ",")
    // "NE.5th", "St.Louis": a dot before a long word is a space.
    .replace(/(\p{L}{2,})\.(?=\p{L}{2,})/gu, "$1. ")
    .replace(/#+/g, " # ")
    .replace(/,/g, " , ")
    .replace(/(\d)\s*-\s+(?=\d)|(\d)\s+-\s*(?=\d)/g, "$1$2-");
  let breaks = false;
  for (const text of spaced.split(/\s+/)) {
    if (text === ",") breaks = tokens.length > 0;
    const word = upper(text).replace(/^[-:]+|[-:]+$/g, "");
    if (text === "," || word === "") continue;
    if (tokens.length === MAX_COUNT) break;
    const glued = GLUED.exec(word) ?? HYPHENATED.exec(word) ?? stateRoad(word, tokens[tokens.length - 1]);
    const parts: [text: string, word: string][] = glued
      ? [
          [text.slice(0, glued[1].length), glued[1]],
          [text.slice(text.length - glued[2].length), glued[2]],
        ]
      : [[text, word]];
    for (const [text, word] of parts) {
      tokens.push({ text, word, breaks });
      breaks = false;
    }
  }
  return splitGrid(tokens);
}

/** "48S 400E", "842 E 1700S": numbers with their directions, as Utah writes them. */
function splitGrid(tokens: Token[]): Token[] {
  const glued = /^(\d{2,5})([NSEW])$/;
  return tokens.flatMap((token, i) => {
    const match = glued.exec(token.word);
    const behind =
      /^(?:[NSEW]|NORTH|SOUTH|EAST|WEST)$/.test(tokens[i - 1]?.word ?? "") || glued.test(tokens[i - 1]?.word ?? "");
    const before = i === 0 && glued.test(tokens[1]?.word ?? "");
    if (!match || !((i > 0 && behind) || before)) return [token];
    return [
      { ...token, text: token.text.slice(0, -1), word: match[1] },
      { text: token.text.slice(-1), word: match[2], breaks: false },
    ];
  });
}

/** "IL-29" after a house number is a road; after "Apt" it is an apartment. */
function stateRoad(word: string, before: Token | undefined): RegExpExecArray | null {
  const match = /^([A-Z]{2})-(\d{1,3}[A-Z]?)$/.exec(word);
  return match && before && /^\d/.test(before.word) && stateCodeOf(match[1], "US") ? match : null;
}

export const writtenAs = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(" ");
export const wordsAs = (tokens: readonly Token[]): string[] => tokens.map(({ word }) => word);
