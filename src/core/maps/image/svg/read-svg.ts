import sax from "sax";
import { ImageError } from "../../base/examined-image.ts";

/** An element of the SVG namespace, its own attributes by local name; `href` stands for xlink:href too. */
export interface SvgElement {
  name: string;
  attributes: Map<string, string>;
  children: SvgElement[];
}

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const MAX_ELEMENTS = 2000;
const MAX_DEPTH = 40;
/** The parser compares each attribute of a tag with all before it. */
const MAX_ATTRIBUTES = 200;

/**
 * The tree of an SVG's elements, namespaces resolved: `<x1:rect xmlns:x1="http://www.w3.org/2000/svg">` is a normal
 * rect. Elements of other namespaces (editors' notes) and all text are omitted.
 *
 * The parser is `sax` 1.6.1 (BlueOak-1.0.0, no dependencies, 14 KB minified): it resolves namespaces, supports only the
 * five entities of XML in strict mode, never fetches, and runs in a Worker.
 *
 * @throws ImageError if it is not XML, has a document type, or exceeds the limits
 */
export function readSvg(text: string): SvgElement {
  refuseManyAttributes(text);
  // The types lack strictEntities: without it HTML's two hundred entity names would be accepted, too.
  const options = { xmlns: true, strictEntities: true, position: false };
  const parser = sax.parser(true, options);
  const open: (SvgElement | undefined)[] = [];
  let root: SvgElement | undefined;
  let count = 0;
  parser.onerror = (error) => {
    // The first line; the others say where the parser was.
    throw new ImageError(`The SVG is not well-formed: ${error.message.split("\n")[0]}`);
  };
  parser.ondoctype = () => {
    throw new ImageError("An SVG may have no DOCTYPE and no entities.");
  };
  parser.onprocessinginstruction = ({ name }) => {
    if (name !== "xml") throw new ImageError("An SVG may have no style sheets and no processing instructions.");
  };
  parser.onopentag = (tag) => {
    const { local, uri, attributes } = tag as sax.QualifiedTag;
    if (++count > MAX_ELEMENTS) throw new ImageError(`An SVG may have up to ${MAX_ELEMENTS} elements.`);
    if (open.length >= MAX_DEPTH) throw new ImageError(`An SVG may be nested up to ${MAX_DEPTH} deep.`);
    const parent = open[open.length - 1];
    const foreign = uri !== SVG || (open.length > 0 && !parent);
    const element = foreign ? undefined : { name: local, attributes: ownAttributes(attributes), children: [] };
    if (open.length === 0) root = element;
    else if (element) parent?.children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.write(text).close();
  if (root?.name !== "svg") throw new ImageError("Expected a PNG, a JPEG, a WebP or an SVG.");
  return root;
}

/** Counts the equals signs between "<" and ">", in one pass: an upper bound of a tag's attributes. */
function refuseManyAttributes(text: string): void {
  let equals = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "<") equals = 0;
    else if (character === "=" && ++equals > MAX_ATTRIBUTES)
      throw new ImageError(`An element of an SVG may have up to ${MAX_ATTRIBUTES} attributes.`);
  }
}

function ownAttributes(attributes: Record<string, sax.QualifiedAttribute>): Map<string, string> {
  const own = new Map<string, string>();
  for (const { uri, local, value } of Object.values(attributes)) {
    if (uri === "") own.set(local, value);
    else if (uri === XLINK && local === "href" && !own.has("href")) own.set("href", value);
  }
  return own;
}
