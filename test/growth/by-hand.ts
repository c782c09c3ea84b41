import type { FuzzPlatform } from "../fuzz/platform.ts";
import type { Operation } from "../fuzz/requests.ts";
import type { Amount } from "./amounts.ts";
import { HOSTILE, PARAMETERS } from "./hostile.ts";
import type { Field } from "./requests.ts";

/** Requests whose bodies the document does not describe: forms of OAuth, and messages of the Model Context Protocol. */

const FORM = "application/x-www-form-urlencoded";

const TOKEN_FORM = {
  grant_type: "authorization_code",
  code: "a",
  code_verifier: "a".repeat(43),
  client_id: "https://client.example.com/client.json",
  redirect_uri: "https://client.example.com/back",
  resource: "https://example.com/mcp",
  refresh_token: "a",
  scope: "read",
};

/** Calls of tools whose arguments are read in different ways. */
const TOOL_CALLS: readonly { name: string; arguments: Record<string, unknown> }[] = [
  { name: "find_place", arguments: { query: "Main Street" } },
  { name: "describe_location", arguments: { at: "48.99,-111.2" } },
  { name: "route", arguments: { from: "48.985,-111.23", to: "49.015,-111.17" } },
  { name: "find_users", arguments: { query: "ann" } },
];

export function fieldsByHand(platform: FuzzPlatform, operation: Operation): Field[] {
  if (operation.path === "/mcp") return mcpFields(platform, operation);
  if (operation.path === "/oauth/token") return formFields(platform, operation, TOKEN_FORM);
  if (operation.path === "/oauth/revoke") return formFields(platform, operation, { token: "a", client_id: "a" });
  return [];
}

function formFields({ url }: FuzzPlatform, operation: Operation, form: Record<string, string>): Field[] {
  const send = (body: string, headers: Record<string, string> = {}) =>
    new Request(url + operation.path, { method: "POST", body, headers: { "content-type": FORM, ...headers } });
  const without = (name: string) => Object.entries(form).filter(([other]) => other !== name);
  return [
    { operation, name: "form", texts: PARAMETERS, request: (text) => send(String(text)) },
    ...Object.keys(form).map((name) => ({
      operation,
      name: `form ${name}`,
      texts: HOSTILE,
      request: (text: unknown) => send(new URLSearchParams([...without(name), [name, String(text)]]).toString()),
    })),
  ];
}

function mcpFields({ url, keys }: FuzzPlatform, operation: Operation): Field[] {
  const headers = {
    authorization: `Bearer ${keys.testSecret}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const send = (body: unknown, more: Record<string, string> = {}) =>
    new Request(url + operation.path, { method: "POST", body: JSON.stringify(body), headers: { ...headers, ...more } });
  const message = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
  const at = (name: string, request: (value: unknown) => Request): Field => ({
    operation,
    name,
    texts: HOSTILE,
    request,
  });
  const counted = (name: string, amounts: readonly Amount[]): Field => ({
    operation,
    name,
    texts: [],
    amounts,
    request: (value) => send(value),
  });
  const ping = (i: number) => message("ping", undefined, i);
  const keysOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  return [
    at("message method", (text) => send(message(String(text)))),
    at("message id", (text) => send(message("ping", undefined, text))),
    at("message tool", (text) => send(message("tools/call", { name: text, arguments: {} }))),
    at("message resource", (text) => send(message("resources/read", { uri: text }))),
    at("header mcp-session-id", (text) => send(ping(1), { "mcp-session-id": headerOf(text) })),
    at("header mcp-protocol-version", (text) => send(ping(1), { "mcp-protocol-version": headerOf(text) })),
    ...TOOL_CALLS.flatMap(({ name, arguments: given }) =>
      Object.keys(given).map((argument) =>
        at(`message ${name}.${argument}`, (text) =>
          send(message("tools/call", { name, arguments: { ...given, [argument]: text } })),
        ),
      ),
    ),
    counted("messages", [
      { name: "equal messages", of: (count) => Array.from({ length: count }, () => ping(1)) },
      { name: "distinct messages", of: (count) => Array.from({ length: count }, (_, i) => ping(i)) },
      { name: "distinct keys", of: (count) => message("tools/call", { name: "find_place", arguments: keysOf(count) }) },
      { name: "distinct parameters", of: (count) => message("ping", keysOf(count)) },
    ]),
  ];
}

/** What a header can hold of a text. */
const headerOf = (text: unknown) => String(text).replace(/[^\x20-\x7e]/g, "?");
