import type { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { CONTEXT_PARTS, type Context, ENTRY_KINDS, LANGUAGES, type Language } from "../entry/entry.ts";
import type { NewEntry } from "./names-tile.ts";

const NO_LANGUAGE = 255;

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
  for (const [language, alias] of entry.aliases ?? []) {
    out.byte(language === "" ? NO_LANGUAGE : LANGUAGES.indexOf(language));
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
    const language = reader.byte();
    return [language === NO_LANGUAGE ? "" : LANGUAGES[language], reader.text()] as const;
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

export type Names = readonly (readonly [Language, string])[];

export function writeNames(out: ByteWriter, names: Names): void {
  out.unsigned(names.length);
  for (const [language, name] of names) {
    out.byte(LANGUAGES.indexOf(language));
    out.text(name);
  }
}

export function readNames(reader: ByteReader): Names {
  return Array.from({ length: reader.unsigned() }, () => [LANGUAGES[reader.byte()], reader.text()] as const);
}
