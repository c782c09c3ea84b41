import type { Input } from "../../index.ts";
import {
  isObject,
  type Kind,
  pick,
  type Stored,
  suggestVariable,
  type Values,
  variableNames,
  type Write,
} from "./kind.ts";

/**
 * Webhooks, by their descriptions. The file has the names of environment variables with their secrets: headers, passwords, access
 * keys. The server creates the secret that signs messages and does not accept one.
 */

const FIELDS = ["description", "type", "url", "delivery", "eventTypes", "enabled", "settings", "secrets"] as const;
const HEADER = "headers.";

export const webhooks: Kind = {
  name: "webhooks",
  fields: FIELDS,
  keyOf: ({ description, url }) => [description, url].find((one) => typeof one === "string" && one !== "") as string,
  keyRule: "Give it a description.",
  async list(client) {
    const found: Stored[] = [];
    for await (const webhook of client.pages("listWebhooks", { limit: 100 }))
      found.push({ id: webhook._id, item: webhookItem(webhook) });
    return found;
  },
  comparable: ({ secrets, eventTypes, url, settings, ...item }) => ({
    type: "webhook",
    delivery: "single",
    enabled: true,
    ...item,
    url: normalUrl(url),
    ...(Array.isArray(eventTypes) && eventTypes.length > 0 && { eventTypes }),
    ...(isObject(settings) && Object.keys(settings).length > 0 && { settings }),
    secrets: Object.keys(variableNames(secrets, "secrets")).sort(),
  }),
  async write(client, write) {
    const { item, before } = write;
    const body = {
      ...pick(item, ["description", "url", "delivery"]),
      eventTypes: item.eventTypes ?? [],
      settings: settingsBody(write),
    };
    if (before === undefined) {
      const { webhook } = await client.createWebhook({ ...body, ...pick(item, ["type"]) } as Input<"createWebhook">);
      if (item.enabled !== false) return webhookItem(webhook);
      return webhookItem((await client.updateWebhook({ id: webhook._id, enabled: false })).webhook);
    }
    const id = String(before.id);
    const update = { ...body, id, enabled: item.enabled ?? true, delivery: item.delivery ?? "single" };
    const { webhook } = await client.updateWebhook(update as Input<"updateWebhook">);
    return webhookItem(webhook);
  },
  async remove(client, { id }) {
    await client.deleteWebhook({ id: String(id) });
  },
  variablesOf: (write) => sentSecrets(write).map(([, variable]) => variable),
  nameVariables(item, previous) {
    const names = variableNames(item.secrets, "secrets");
    if (Object.keys(names).length === 0) return item;
    const before = variableNames(previous?.secrets, "secrets");
    const key = String(item.description ?? item.url ?? item.type);
    const secrets = Object.keys(names).map((name) => [
      name,
      before[name] ?? suggestVariable("webhook", key, name.replace(HEADER, "")),
    ]);
    return { ...item, secrets: Object.fromEntries(secrets) };
  },
};

function webhookItem(webhook: Values): Values {
  const { secrets = [], ...open } = (webhook.settings ?? {}) as Values & { secrets?: string[] };
  return pick(
    {
      ...webhook,
      url: webhook.url === "" ? undefined : webhook.url,
      settings: Object.keys(open).length > 0 ? open : undefined,
      secrets: secrets.length > 0 ? Object.fromEntries(secrets.map((name) => [name, "?"])) : undefined,
    },
    FIELDS,
  );
}

/** The settings to send: null removes one that the file does not have. */
function settingsBody(write: Write): Values {
  const { item, before, secrets } = write;
  const open = isObject(item.settings) ? item.settings : {};
  const stored = isObject(before?.item.settings) ? before.item.settings : {};
  const gone = Object.keys(stored).filter((name) => open[name] === undefined);
  const body: Values = { ...Object.fromEntries(gone.map((name) => [name, null])), ...open };
  const names = variableNames(item.secrets, "secrets");
  for (const name of Object.keys(variableNames(before?.item.secrets, "secrets")))
    if (names[name] === undefined) body[name.startsWith(HEADER) ? "headers" : name] = null;
  for (const [name, variable] of sentSecrets(write)) {
    const value = secrets(variable);
    if (name.startsWith(HEADER))
      body.headers = { ...(body.headers as Values | null), [name.slice(HEADER.length)]: value };
    else body[name] = value;
  }
  return body;
}

/** The secrets that a write sends: those that the server does not have. Headers are one setting, sent together. */
function sentSecrets({ item, before, updateSecrets }: Omit<Write, "secrets">): [name: string, variable: string][] {
  const names = Object.entries(variableNames(item.secrets, "secrets"));
  for (const [name] of names)
    if (!name.startsWith(HEADER) && name !== "password" && name !== "secretAccessKey")
      throw new Error(`${name} is not a secret of a webhook: password, secretAccessKey, ${HEADER}NAME.`);
  const known = Object.keys(variableNames(before?.item.secrets, "secrets"));
  const isNew = (name: string) => updateSecrets || !known.includes(name);
  const headers = (all: readonly string[]) => all.filter((name) => name.startsWith(HEADER)).sort();
  const haveHeadersChanged =
    updateSecrets || headers(names.map(([name]) => name)).join("\n") !== headers(known).join("\n");
  return names.filter(([name]) => (name.startsWith(HEADER) ? haveHeadersChanged : isNew(name)));
}

/** As the server writes it. */
function normalUrl(url: unknown): unknown {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).href : url;
}
