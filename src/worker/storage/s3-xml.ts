import sax from "sax";

/** An element of a response: its own text, and its child elements. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/**
 * The response of an S3 service, as a tree. The parser is `sax` (as for SVG): strict, no entities but XML's own five.
 * @throws Error if it is not XML
 */
export function readXml(text: string): XmlElement {
  const document: XmlElement = { name: "", text: "", children: [] };
  const open = [document];
  const options = { strictEntities: true, position: false };
  const parser = sax.parser(true, options);
  parser.onerror = () => {
    throw new Error("The bucket's service returned a response that is not XML.");
  };
  parser.onopentag = ({ name }) => {
    const element = { name, text: "", children: [] };
    open[open.length - 1].children.push(element);
    open.push(element);
  };
  parser.ontext = (some) => {
    open[open.length - 1].text += some;
  };
  parser.oncdata = parser.ontext;
  parser.onclosetag = () => void open.pop();
  parser.write(text).close();
  return document.children[0] ?? document;
}

/** The child elements with a name, in order. */
export function within({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first child element with a name; empty if there is none. */
export function textIn({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text ?? "";
}
