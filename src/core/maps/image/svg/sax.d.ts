/** The part of the package `sax` that read-svg.ts uses: the package's own types name Node's streams. */
declare namespace sax {
  interface QualifiedAttribute {
    local: string;
    uri: string;
    value: string;
  }
  interface QualifiedTag {
    local: string;
    uri: string;
    attributes: Record<string, QualifiedAttribute>;
  }
  interface Parser {
    onerror: (error: Error) => void;
    ondoctype: (text: string) => void;
    onprocessinginstruction: (node: { name: string }) => void;
    onopentag: (tag: QualifiedTag) => void;
    onclosetag: (name: string) => void;
    write(text: string): Parser;
    close(): Parser;
  }
  function parser(strict: boolean, options: object): Parser;
}
export default sax;
