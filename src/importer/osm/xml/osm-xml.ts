import { basename } from "node:path";
import sax from "sax";
import { ImportError } from "../../common/import-error.ts";
import type { OsmElement, OsmMember } from "../pbf/element.ts";

/** An element as XML has it; what its attributes mean is up to the reader. */
export interface XmlElement {
  kind: OsmElement["type"];
  id: number;
  attributes: Readonly<Record<string, string>>;
  tags: Record<string, string>;
  refs: number[];
  members: OsmMember[];
  /** Of the nodes of a way, those whose places stand with it (Overpass: out geom). */
  places: { id: number; lat: string; lon: string }[];
}

const KINDS: ReadonlySet<string> = new Set<OsmElement["type"]>(["node", "way", "relation"]);

/** No entities but XML's own five; the library's types do not know that option. */
const OPTIONS = { strictEntities: true, position: true };

/** Text before the first element: more of it is none. */
const MAX_CHARACTERS_BEFORE = 1 << 20;

interface Handlers {
  /** An element outside of nodes, ways and relations, or inside of none. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  element(element: XmlElement): void;
}

/** Reads OSM XML or OsmChange piece by piece (wiki.openstreetmap.org/wiki/OSM_XML). @throws ImportError with the line */
export class OsmXml {
  readonly #what: string;
  readonly #root: string;
  readonly #handlers: Handlers;
  readonly #parser = sax.parser(true, OPTIONS);
  #element: XmlElement | undefined;
  #state: "before" | "inside" | "after" = "before";
  #characters = 0;

  /** @param what of which kind the file is, as in "file of OpenStreetMap changes (.osc)" */
  constructor(path: string, what: string, root: "osm" | "osmChange", handlers: Handlers) {
    this.#what = `${basename(path)} is not a complete ${what}`;
    this.#root = root;
    this.#handlers = handlers;
    this.#parser.onerror = () => {
      throw this.broken("it is not well-formed");
    };
    this.#parser.onopentag = ({ name, attributes }) => this.#open(name, attributes as Record<string, string>);
    this.#parser.onclosetag = (name) => this.#close(name);
  }

  write(text: string): void {
    this.#characters += text.length;
    this.#parser.write(text);
    if (this.#state === "before" && this.#characters > MAX_CHARACTERS_BEFORE) this.end();
  }

  end(): void {
    if (this.#state !== "after")
      throw this.broken(this.#state === "inside" ? "it is cut off" : `it holds no <${this.#root}>`);
    this.#parser.close();
  }

  broken(why: string): ImportError {
    return new ImportError(`${this.#what}: ${why}, line ${this.#parser.line + 1}.`);
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#state === "before") {
      if (name !== this.#root) throw this.broken(`it begins with <${name.slice(0, 40)}>`);
      this.#state = "inside";
    }
    if (this.#state === "after") throw this.broken("something follows its end");
    if (KINDS.has(name)) this.#begin(name as OsmElement["type"], attributes);
    else if (this.#element) this.#part(this.#element, name, attributes);
    else this.#handlers.open?.(name, attributes);
  }

  #begin(kind: OsmElement["type"], attributes: Record<string, string>): void {
    const id = Number(attributes.id);
    if (attributes.id === "" || !Number.isSafeInteger(id))
      throw this.broken(`a ${kind} has the id "${attributes.id ?? ""}"`);
    this.#element = { kind, id, attributes, tags: {}, refs: [], members: [], places: [] };
  }

  #part(
    { kind, id, refs, members, tags, places }: XmlElement,
    name: string,
    { k, v, ref, type, role, lat, lon }: Record<string, string>,
  ): void {
    if (name === "tag") {
      if (k === undefined || v === undefined) throw this.broken(`a tag of the ${kind} ${id} has no key or no value`);
      tags[k] = v;
      return;
    }
    const wanted = (kind === "way" && name === "nd") || (kind === "relation" && name === "member");
    if (!wanted) return;
    const number = Number(ref);
    if (ref === "" || !Number.isSafeInteger(number)) throw this.broken(`the ${kind} ${id} names "${ref ?? ""}"`);
    if (name === "nd") {
      refs.push(number);
      if (lat !== undefined && lon !== undefined) places.push({ id: number, lat, lon });
    } else if (!KINDS.has(type)) throw this.broken(`the relation ${id} has a member of the type "${type ?? ""}"`);
    else members.push({ type: type as OsmElement["type"], ref: number, role: role ?? "" });
  }

  #close(name: string): void {
    if (name === this.#root) this.#state = "after";
    if (name === this.#element?.kind) {
      const element = this.#element;
      this.#element = undefined;
      this.#handlers.element(element);
    } else if (!this.#element) this.#handlers.close?.(name);
  }
}
