/** Texts that make a reader slow which looks at what it has seen before: something repeated, between a beginning and an end that fits nothing. A `#` in a longer unit is a number. */
export interface Hostile {
  name: string;
  begin: string;
  unit: string;
  end: string;
}

const of = (name: string, unit: string, begin = "", end = ""): Hostile => ({ name, begin, unit, end });

/** For every text, whatever it is read as. */
export const HOSTILE: readonly Hostile[] = [
  of("spaces", " ", "a", "!"),
  of("tabs", "\t", "a", "!"),
  of("lines", "\n", "a", "!"),
  of("digits", "1", "", "x"),
  of("decimals", "1.", "", "x"),
  of("zeros", "0", "1.", "1"),
  of("minus", "-", "a", "!"),
  of("points", ".", "a", "!"),
  of("commas", ",", "a", "!"),
  of("commas and spaces", ", ", "a", "!"),
  of("semicolons", ";", "a", "!"),
  of("equals", "=", "a", "!"),
  of("letters", "a", "", "!"),
  of("words", "a ", "", "!"),
  of("numbered words", "a1 ", "", "!"),
  of("street types", "street road 5 ", "", "!"),
  of("accents", "e\u0301", "", "!"),
  of("marks", "\u0301", "e", "!"),
  of("Devanagari", "कि", "", "!"),
  of("kanji", "区市町", "", "1"),
  of("emoji", "😀", "", "!"),
  of("joined emoji", "👩\u200d", "", "!"),
  of("zero-width", "\u200d", "a", "!"),
  of("right to left", "אب", "", "1"),
  of("open brackets", "[", "", "x"),
  of("braces", '{"a":', "", "x"),
  of("parentheses", "(", "", "x"),
  of("quotes", '"', "", "x"),
  of("apostrophes", "'", "", "x"),
  of("backslashes", "\\", "", "x"),
  of("slashes", "/", "", "x"),
  of("parents", "../", "", "x"),
  of("percent", "%", "", "x"),
  of("ampersands", "&", "", "x"),
  of("entities", "&amp;", "", "x"),
  of("tags", "<a ", "", "x"),
  of("angles", "<", "", "x"),
  of("hashes", "#", "", "x"),
  of("at signs", "@", "a", "!"),
  of("bars", "|", "1,1", "x"),
  of("positions", "1,1|", "", "x"),
  of("polyline", "_ibE", "enc:", ""),
  of("polyline without an end", "~", "enc:", "~"),
  of("base64", "QUJD", "", "="),
  of("templates", "{{a}}", "", "{{"),
  of("open templates", "{{", "", "x"),
  of("distinct items", "a#,", "", "!"),
  of("distinct positions", "1.#,2.#|", "", "x"),
];

/** For whole bodies and query strings. */
export const PARAMETERS: readonly Hostile[] = [
  of("empty brackets", "a[]&"),
  of("brackets", "a[b]=1&"),
  of("numbered brackets", "a[1][2][3]=4&"),
  of("open brackets", "a["),
  of("names", "a&"),
  of("distinct names", "a#=1&"),
  of("distinct keys of one name", "a[b#]=1&"),
  of("no values", "=&"),
  of("ampersands", "&"),
  of("percent", "%"),
  of("plus", "+"),
];

export const JSON_BODIES: readonly Hostile[] = [
  of("open arrays", "["),
  of("open objects", '{"a":'),
  of("deep arrays", "[", '{"a":', ""),
  of("spaces", " ", "{", "}"),
  of("keys", '"a":1,', "{", '"b":2}'),
  of("distinct keys", '"k#":1,', "{", '"b":2}'),
  of("escapes", "\\u0000", '{"a":"', '"}'),
  of("numbers", "1", '{"a":', "}"),
  of("zeros", "1,", '{"a":[', "1]}"),
];

export const GPX: readonly Hostile[] = [
  of("open points", '<trkpt lat="1" lon="1'),
  of("points", '<trkpt lat="1" lon="1">'),
  of("points without a position", "<trkpt >"),
  of("open comments", "<!--"),
  of("times", "<time> ", '<trkpt lat="1" lon="1">', ""),
  of("spaces in a time", " ", '<trkpt lat="1" lon="1"><time>', "<"),
  of("spaces in an attribute", " ", '<trkpt lat="1" lon=', ""),
  of("attributes", "a='1' ", "<trkpt ", ">"),
  of("entities", "&#1;", '<trkpt lat="', '">'),
];

export const CSV: readonly Hostile[] = [
  of("empty quoted lines", '""\n', "a,b\n", ""),
  of("quotes", '"', "a,b\n", ""),
  of("cells", ",", "a,b\n", ""),
  of("columns", "a,", "", "\n"),
  of("lines", "\n", "a,b\n", "x"),
  of("carriage returns", "\r", "a,b\n", "x"),
  of("semicolons and commas", ";,", "", ""),
];

const svg = (name: string, begin: string, unit: string, end: string) =>
  of(name, unit, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${begin}`, `${end}</svg>`);

export const SVG: readonly Hostile[] = [
  svg("spaces in a paint", '<rect width="9" height="9" fill="url(#a', " ", 'x)!"/>'),
  svg("spaces before a color", '<rect width="9" height="9" fill="', " ", '!"/>'),
  svg("digits of a length", '<rect width="', "1", 'x" height="9"/>'),
  svg("attributes", "<rect ", 'a:b="" ', "/>"),
  svg("groups", "", "<g>", ""),
  svg("numbers", '<path d="M', "1.", 'x"/>'),
  svg("style", '<rect style="', "fill:red;", '"/>'),
  svg("entities", "<title>", "&amp;", "</title>"),
];

/** GeoJSON as text: a field of that name is also read from JSON text. */
export const GEOJSON: readonly Hostile[] = [
  of("deep geometry", '{"type":"Feature","geometry":', "", "{}"),
  of("deep collections", '{"type":"FeatureCollection","features":[', "", ""),
  of("positions", "[1,1],", '{"type":"LineString","coordinates":[', "[2,2]]}"),
  of("a star", "[1,1],[0,2],[2,0],", '{"type":"Polygon","coordinates":[[', "[1,1]]]}"),
];

/** Sections of paths and markers of a static map. */
export const OVERLAYS: readonly Hostile[] = [
  of("positions", "48.1,2.1|48.2,2.2|", "stroke:red|", "48.3,2.3"),
  of("styles", "color:red|", "", "48.3,2.3"),
  of("long polyline", "_p~iF~ps|U", "enc:", ""),
  of("fillings", "fill:0x00ff00|", "", "48.1,2.1|48.2,2.2|48.3,2.4"),
  of("icon", "a", "icon:https://a.example/", "|48.3,2.3"),
];

/** Units with a number in place of `#`, until they have so many characters. */
function numbered(unit: string, length: number): string {
  const parts: string[] = [];
  for (let at = 0; at < length || parts.length === 0; at += parts[parts.length - 1].length)
    parts.push(unit.replaceAll("#", String(parts.length)));
  return parts.join("");
}

/** A text of about so many characters. */
export function textOf({ begin, unit, end }: Hostile, length: number): string {
  if (unit.length > 1 && unit.includes("#")) return begin + numbered(unit, length - begin.length - end.length) + end;
  return begin + unit.repeat(Math.max(1, Math.floor((length - begin.length - end.length) / unit.length))) + end;
}
