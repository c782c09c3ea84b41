import type { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import {
  CONTEXT_PARTS,
  type Context,
  codeOfName,
  ENTRY_KINDS,
  kindOfCode,
  type LanguageName,
  languageOfCode,
  NAME_KINDS,
} from "../entry/entry.ts";
import type { NewEntry } from "./names-tile.ts";

/** As a language of an alias, which has 16 times its kind besides. */
const NO_LANGUAGE = 15;

/** Entries as bytes between the steps of an import, exactly as they are; not part of any format that is published. */
export function writeEntry(out: ByteWriter, entry: NewEntry): void {
  out.byte(ENTRY_KINDS.indexOf(entry.kind));
  out.text(entry.name);
  writeContext(out, entry.context);
  out.text(entry.postalCode);
  out.f64(entry.latitude);
  out.f64(entry.longitude);
  out.f64(entry.importance);
  writeNames(out, entry.names ?? []);
  out.byte(entry.confidence === undefined ? 0 : entry.confidence + 1);
  out.unsigned(entry.aliases?.length ?? 0);
  for (const [language, alias, kind = "main"] of entry.aliases ?? []) {
    out.byte(language === "" ? NO_LANGUAGE + 16 * NAME_KINDS.indexOf(kind) : codeOfName([language, alias, kind]));
    out.text(alias);
  }
}

export function readEntry(reader: ByteReader): NewEntry {
  const entry: NewEntry = {
    kind: ENTRY_KINDS[reader.byte()],
    name: reader.text(),
    context: readContext(reader),
    postalCode: reader.text(),
    latitude: reader.f64(),
    longitude: reader.f64(),
    importance: reader.f64(),
    names: readNames(reader),
  };
  const confidence = reader.byte();
  if (confidence > 0) entry.confidence = confidence - 1;
  const aliases = Array.from({ length: reader.unsigned() }, () => {
    const code = reader.byte();
    return named((code & 15) === NO_LANGUAGE ? ("" as const) : languageOfCode(code), reader.text(), code);
  });
  return aliases.length === 0 ? entry : { ...entry, aliases };
}

export function writeContext(out: ByteWriter, context: Context): void {
  for (const part of CONTEXT_PARTS) out.text(context[part]);
}

export function readContext(reader: ByteReader): Context {
  return {
    city: reader.text(),
    borough: reader.text(),
    neighborhood: reader.text(),
    county: reader.text(),
    stateCode: reader.text(),
    state: reader.text(),
    countryCode: reader.text(),
  };
}

export type Names = readonly LanguageName[];

const named = <T>(language: T, name: string, code: number) =>
  code < 16 ? ([language, name] as const) : ([language, name, kindOfCode(code)] as const);

export function writeNames(out: ByteWriter, names: Names): void {
  out.unsigned(names.length);
  for (const name of names) {
    out.byte(codeOfName(name));
    out.text(name[1]);
  }
}

export function readNames(reader: ByteReader): Names {
  return Array.from({ length: reader.unsigned() }, () => {
    const code = reader.byte();
    return named(languageOfCode(code), reader.text(), code);
  });
}
