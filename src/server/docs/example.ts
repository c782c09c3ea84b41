/**
 * An example of a guide: a request, written once and shown as curl, JavaScript and Python. In Markdown:
 *
 *     ```http publishable save=ORDER:trip._id
 *     POST /v1/trips
 *     {"externalId": "order-1", "userId": "ann"}
 *     ```
 *
 * After `http` comes the kind of key (`publishable`, `secret` or `open`), and optionally: `save=NAME:path` (the part
 * of the response that later examples use as $NAME), `status=404` (expected status), `file=map.png` (the response is a
 * file). Header lines can follow the first line, then a body.
 */
export interface Example {
  method: string;
  /** With its query. */
  path: string;
  level: "publishable" | "secret" | "open";
  headers: Record<string, string>;
  body?: string;
  status: number;
  save: { name: string; path: string }[];
  /** File for the response, if it is not JSON. */
  file?: string;
}

const LEVELS = ["publishable", "secret", "open"] as const;

/** @throws Error that says what is wrong with the block */
export function parseExample(info: string, text: string): Example {
  const [, level, ...options] = info.trim().split(/\s+/);
  if (!LEVELS.includes(level as Example["level"])) throw new Error(`"${info}" has no key`);
  const [first, ...rest] = text.trim().split("\n");
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(first.trim()) ?? [];
  if (!method) throw new Error(`"${first}" is not a request`);
  const headers: Record<string, string> = {};
  while (/^[\w-]+: /.test(rest[0] ?? "")) {
    const [name, ...value] = (rest.shift() as string).split(": ");
    headers[name] = value.join(": ");
  }
  const body = rest.join("\n").trim();
  const option = (name: string) =>
    options.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
  return {
    method,
    path,
    level: level as Example["level"],
    headers,
    status: Number(option("status")[0] ?? 200),
    ...(body && { body }),
    save: option("save").map((one) => ({ name: one.split(":")[0], path: one.split(":")[1] })),
    ...(option("file")[0] && { file: option("file")[0] }),
  };
}

const KEY_OF = { publishable: "$PUBLISHABLE", secret: "$SECRET", open: undefined } as const;

function headersOf({ level, headers, body }: Example): Record<string, string> {
  const key = KEY_OF[level];
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return {
    ...(key && !headers.Authorization ? { Authorization: key } : {}),
    ...(body && !isTyped ? { "Content-Type": "application/json" } : {}),
    ...headers,
  };
}

/** Shell variables are filled in between double quotes only. */
function quoted(text: string): string {
  if (!/\$[A-Z]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `"${text.replace(/[\\"`]|\$(?![A-Z])/g, "\\$&")}"`;
}

/** curl expands brackets in URLs. */
const withoutGlobs = (path: string) => path.replaceAll("[", "%5B").replaceAll("]", "%5D");

export function curlOf(example: Example): string {
  const { method, path, body, file } = example;
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  const lines = [
    `curl ${isPlain ? "" : `-X ${method} `}${file ? `-o ${file} ` : ""}${quoted(`$HOST${withoutGlobs(path)}`)}`,
  ];
  for (const [name, value] of Object.entries(headersOf(example))) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) lines.push(`-d ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

/**
 * The commands of an example for a shell in which the whole guide is pasted: they set the variables of later examples, and wait where a
 * device may send only once a second.
 */
export function shellOf(example: Example, isSoonAfter: boolean): string {
  const curl = curlOf(example);
  const [saved, ...others] = example.save;
  if (others.length > 0) throw new Error(`${example.path}: a shell can save only one value of a response`);
  const command = saved
    ? `${saved.name}=$(${curl} |\n  tee >(cat >&2) | node -p 'JSON.parse(fs.readFileSync(0))${accessOf(saved.path)}')`
    : curl;
  return isSoonAfter ? `sleep 1\n${command}` : command;
}

/** "events.0._id" → ".events[0]._id" */
const accessOf = (path: string) =>
  path
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");

/** The device whose updates an example sends, of which the API accepts one call per second. */
export function trackedDevice({ method, path, body }: Example): string | undefined {
  if (method !== "POST" || !/^\/v1\/track(\/replay)?$/.test(path) || !body) return undefined;
  return /"deviceId": *"([^"]+)"/.exec(body)?.[1];
}

/** Is the body JSON, to be written as the language writes it? */
function jsonOf({ body, headers }: Example): unknown {
  if (!body || Object.keys(headers).some((name) => name.toLowerCase() === "content-type")) return undefined;
  return JSON.parse(body.replace(/(?<!")\$([A-Z_]+)(?!")/g, '"$$$1"'));
}

export function javascriptOf(example: Example): string {
  const { method, path, body, file } = example;
  const lines = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    `headers: ${JSON.stringify(headersOf(example), null, 1).replace(/\n\s*/g, " ")},`,
  ];
  const json = jsonOf(example);
  if (json !== undefined)
    lines.push(`body: JSON.stringify(${JSON.stringify(json, null, 2).replaceAll("\n", "\n  ")}),`);
  else if (body) lines.push(`body: ${JSON.stringify(body)},`);
  const read = file ? "const image = await response.blob();" : "console.log(await response.json());";
  return `const response = await fetch(${JSON.stringify(`$HOST${path}`)}, {\n  ${lines.join("\n  ")}\n});\n${read}`;
}

/** As Python writes JSON. */
function python(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object")) return `[${value.map((one) => python(one)).join(", ")}]`;
    return `[\n${value.map((one) => `${inner}${python(one, inner)},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value as object).map(
    ([name, one]) => `${JSON.stringify(name)}: ${python(one, inner)}`,
  );
  const line = `{${entries.join(", ")}}`;
  return line.length < 80 && !line.includes("\n")
    ? line
    : `{\n${entries.map((one) => `${inner}${one},\n`).join("")}${indent}}`;
}

export function pythonOf(example: Example): string {
  const { method, path, body, file } = example;
  const json = jsonOf(example);
  const lines = [
    JSON.stringify(`$HOST${path}`),
    ...(method === "GET" ? [] : [`method="${method}"`]),
    `headers=${python(headersOf(example), "    ")}`,
    ...(json !== undefined ? [`data=json.dumps(${python(json, "    ")}).encode()`] : []),
    ...(json === undefined && body ? [`data=${JSON.stringify(body)}.encode()`] : []),
  ];
  const read = file ? `open("${file}", "wb").write(answer.read())` : "print(json.load(answer))";
  return `import json\nfrom urllib.request import Request, urlopen\n\nrequest = Request(\n${lines.map((line) => `    ${line},\n`).join("")})\nwith urlopen(request) as answer:\n    ${read}`;
}

/** The request itself, its variables filled in, for `fetch`. */
export function requestOf(
  example: Example,
  variables: Readonly<Record<string, string>>,
): { url: string; method: string; headers: Record<string, string>; body?: string } {
  const filled = (text: string) => text.replace(/\$([A-Z_]+)/g, (whole, name) => variables[name] ?? whole);
  const headers = Object.entries(headersOf(example)).map(([name, value]) => [name, filled(value)]);
  return {
    url: filled(`$HOST${example.path}`),
    method: example.method,
    headers: Object.fromEntries(headers),
    ...(example.body && { body: filled(example.body) }),
  };
}
