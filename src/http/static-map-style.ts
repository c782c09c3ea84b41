import type { Env } from "../env.ts";
import { builtInIcons, builtInStyle, STYLES_VERSION } from "../maps/style/built-in.ts";
import { type CompiledStyle, compileStyle } from "../maps/style/compile-style.ts";
import type { Icon } from "../maps/style/icons.ts";
import { STYLE_NAMES, type StyleName } from "../maps/style/palettes.ts";
import type { Caller } from "./caller.ts";
import { invalid } from "./errors.ts";

/** A style ready to draw with. */
export interface ReadyStyle {
  style: CompiledStyle;
  icons: Readonly<Record<string, Icon>>;
  /** Another version, another picture. */
  version: string;
}

const MAX_KEPT = 30;
const kept = new Map<string, ReadyStyle>();

/** The style of a name; 400 when there is none. */
export async function styleFor(_env: Env, _caller: Caller, name: string, language?: string): Promise<ReadyStyle> {
  if (!isBuiltIn(name)) throw invalid("style", `Valid values: ${STYLE_NAMES.join(", ")}.`);
  const key = `${name}/${language ?? ""}`;
  let ready = kept.get(key);
  if (!ready) {
    const version = `${name}.${STYLES_VERSION}`;
    ready = { style: compileStyle(builtInStyle(name, language)), icons: builtInIcons(name), version };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, ready);
  }
  return ready;
}

export function isBuiltIn(name: string): name is StyleName {
  return (STYLE_NAMES as readonly string[]).includes(name);
}
