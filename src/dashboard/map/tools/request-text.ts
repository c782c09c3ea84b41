/** A request of the API as a developer would type it. The key stands as a name, so that none is ever copied into a chat. */
export interface ShownRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query: "/v1/geocode/forward?query=…". */
  path: string;
  body?: unknown;
  /** Which of the project's keys the endpoint wants. */
  level: "publishable" | "secret";
}

const KEY_NAMES = { publishable: "PUBLISHABLE", secret: "SECRET" };

/** For a POSIX shell: everything from outside is in single quotes. */
export function asCurl({ method, path, body, level }: ShownRequest, origin: string): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoteText(origin + path)}`,
    `  -H "Authorization: $${KEY_NAMES[level]}"`,
  ];
  if (body !== undefined)
    lines.push("  -H 'Content-Type: application/json'", `  -d ${quoteText(JSON.stringify(body))}`);
  return lines.join(" \\\n");
}

const quoteText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** For a browser or Node 20. */
export function asJavaScript({ method, path, body, level }: ShownRequest, origin: string): string {
  const headers = [`Authorization: ${KEY_NAMES[level]}`];
  if (body !== undefined) headers.push(`"Content-Type": "application/json"`);
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: { ${headers.join(", ")} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indentText(JSON.stringify(body, null, 2))}),`]),
  ];
  return [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    ...options,
    "});",
    "if (!response.ok) throw new Error((await response.json()).meta.message);",
    "const answer = await response.json();",
  ].join("\n");
}

const indentText = (text: string) => text.replaceAll("\n", "\n  ");

/** A path with what was filled in; what was left empty is not sent. Commas and bars stay readable. */
export function withQuery(path: string, fields: Record<string, string | number | boolean | undefined>): string {
  const query = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeReadably(String(value))}`)
    .join("&");
  return query ? `${path}?${query}` : path;
}

const encodeReadably = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
