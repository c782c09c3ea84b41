import { fold } from "./normalise.ts";

/** Articles that names of towns are written with or without: Sliema and Tas-Sliema, Ain and Al Ain, Hague and The Hague. */
const ARTICLES = new Set(
  "the la le les el los las l il lo gli i o os a as den det de het der die das tal tas tat tar taz ta ir is it iz ix in id al ad an ar at az".split(
    " ",
  ),
);
/** These belong to no other name: joined by a hyphen, or in English. "Los" of Los Angeles is a part of the name. */
const SEPARABLE =
  /^(?:the\s+|(?:il|l|ir|is|it|iz|ix|in|id|ta|tal|tas|tat|tar|taz|al|el|ad|an|ar|as|at|az)-)(?=\p{L}{3})/u;

/** The number of words at the start of a town's name that are an article which people leave out: 1 of "Tas-Sliema". */
export const separableArticles = (name: string): number => (SEPARABLE.test(fold(name)) ? 1 : 0);

/** The words of a town's name without an article before the others. */
export const withoutArticle = (words: readonly string[]): readonly string[] =>
  words.length > 1 && ARTICLES.has(words[0]) ? words.slice(1) : words;
