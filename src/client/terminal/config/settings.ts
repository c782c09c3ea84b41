import type { Input } from "../../index.ts";
import { canonical, isObject, type Kind, suggestVariable, type Values } from "./kind.ts";

/**
 * The project's settings: one item. The file may have some of them; those that it omits stay as they are.
 */

/** Set by the operator, not by the project. */
const READ_ONLY = ["meta", "rateLimits"];
/** Their entries are replaced together: one that the file omits is removed. */
const DICTIONARIES = ["chainMappings", "chainMetadata"];

type TokenKeys = Record<string, { alg: string; variable?: string }>;
const tokenKeys = ({ tokens }: Values): TokenKeys => ((tokens as Values | undefined)?.keys ?? {}) as TokenKeys;

export const settings: Kind = {
  name: "settings",
  keyOf: () => "",
  keyRule: "",
  async list(client) {
    return [{ item: settingsItem((await client.getSettings()) as Values) }];
  },
  comparable: (item) =>
    isObject(item.tokens)
      ? {
          ...item,
          tokens: {
            ...item.tokens,
            ...(item.tokens.keys !== undefined && {
              keys: Object.fromEntries(Object.entries(tokenKeys(item)).map(([kid, { alg }]) => [kid, { alg }])),
            }),
          },
        }
      : item,
  async write(client, { item, before, secrets, updateSecrets }) {
    const stored = before?.item ?? {};
    const patch = Object.fromEntries(
      Object.entries(item)
        .filter(([name, value]) => canonical(value) !== canonical(stored[name]))
        .map(([name, value]) => [name, DICTIONARIES.includes(name) ? withNulls(value, stored[name]) : value]),
    );
    if (patch.tokens !== undefined || updateSecrets) {
      const sent = sentKeys(item, stored, updateSecrets);
      const gone = Object.keys(tokenKeys(stored)).filter((kid) => tokenKeys(item)[kid] === undefined);
      patch.tokens = {
        ...(item.tokens as Values | undefined),
        keys: {
          ...Object.fromEntries(gone.map((kid) => [kid, null])),
          ...Object.fromEntries(sent.map(([kid, alg, variable]) => [kid, keyBody(alg, secrets(variable))])),
        },
      };
    }
    return settingsItem((await client.patchSettings(patch as Input<"patchSettings">)) as Values);
  },
  async remove() {
    throw new Error("Settings cannot be deleted.");
  },
  variablesOf: ({ item, before, updateSecrets }) =>
    sentKeys(item, before?.item ?? {}, updateSecrets).map(([, , variable]) => variable),
  nameVariables(item, previous) {
    const keys = Object.entries(tokenKeys(item)).map(([kid, { alg }]) => {
      const variable = tokenKeys(previous ?? {})[kid]?.variable ?? suggestVariable("token key", kid);
      return [kid, { alg, variable }];
    });
    return { ...item, tokens: { ...(item.tokens as Values), keys: Object.fromEntries(keys) } };
  },
};

/** The settings of a response, as the file states them. */
function settingsItem(response: Values): Values {
  const open = Object.fromEntries(Object.entries(response).filter(([name]) => !READ_ONLY.includes(name)));
  const keys = Object.entries(tokenKeys(response)).map(([kid, { alg }]) => [kid, { alg }]);
  return {
    ...open,
    tokens: { ...(response.tokens as Values | undefined), keys: Object.fromEntries(keys) },
    // Absent means all.
    returnedEventTypes: response.returnedEventTypes ?? "all",
  };
}

/**
 * The settings after an apply: those of the file over those of the server.
 * @param isPruned removes keys of tokens that the file does not have
 * @throws for a setting that the server does not have
 */
export function settingsAfter(wanted: Values, stored: Values, isPruned: boolean): Values {
  const unknown = Object.keys(wanted).find((name) => !(name in stored));
  if (unknown !== undefined)
    throw new Error(
      READ_ONLY.includes(unknown)
        ? `settings.${unknown} is read-only: remove it from the file.`
        : `The server has no setting ${unknown}.`,
    );
  const after = merged(stored, wanted);
  for (const name of DICTIONARIES) if (wanted[name] !== undefined) after[name] = wanted[name];
  if (isPruned && isObject(wanted.tokens) && wanted.tokens.keys !== undefined)
    after.tokens = { ...(after.tokens as Values), keys: wanted.tokens.keys };
  return after;
}

function merged(under: Values, over: Values): Values {
  const entries = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isObject(value) && isObject(below) ? merged(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(entries) };
}

/** The keys of tokens whose material is sent: new ones, and those with another algorithm. */
function sentKeys(
  item: Values,
  stored: Values,
  updateSecrets: boolean,
): [kid: string, alg: string, variable: string][] {
  const known = tokenKeys(stored);
  return Object.entries(tokenKeys(item))
    .filter(([kid, { alg, variable }]) => known[kid]?.alg !== alg || (updateSecrets && variable !== undefined))
    .map(([kid, { alg, variable }]) => {
      if (typeof variable !== "string")
        throw new Error(`settings.tokens.keys.${kid} needs a variable: the name of the one with the key.`);
      return [kid, alg, variable];
    });
}

/** A PEM, the JSON of a JWK, or a shared secret. */
function keyBody(alg: string, material: string): Values {
  if (alg === "HS256") return { alg, secret: material };
  return { alg, publicKey: material.trimStart().startsWith("{") ? JSON.parse(material) : material };
}

/** An update that removes entries which are missing (JSON Merge Patch). */
function withNulls(value: unknown, before: unknown): unknown {
  if (!isObject(value) || !isObject(before)) return value;
  const gone = Object.keys(before).filter((name) => value[name] === undefined);
  return {
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNulls(one, before[name])])),
  };
}
