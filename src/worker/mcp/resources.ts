import { type Api, ToolError } from "./base/api.ts";

/** The guides of this server, as its build wrote them (src/server/docs). */

interface GuideEntry {
  name: string;
  title: string;
  summary: string;
}

/** All guides; none if the server has no built files. */
export async function guidesOf(api: Api): Promise<GuideEntry[]> {
  const response = await api.send({ method: "GET", path: "/docs/files/guides.json" });
  if (response.ok) return (await response.json()) as GuideEntry[];
  await response.body?.cancel();
  return [];
}

const OPENAPI_PATH = "/openapi.json";
/** The OpenAPI document by its ETag: it is large, and packed in the API's response. */
let openApi: { etag: string; text: string } | undefined;

/** The OpenAPI document of this server. */
export async function openApiText(api: Api): Promise<string> {
  const ifNoneMatch = openApi?.etag;
  const response = await api.send({ method: "GET", path: OPENAPI_PATH, ...(ifNoneMatch && { ifNoneMatch }) });
  if (response.status === 304 && openApi) return openApi.text;
  if (!response.ok) throw new ToolError((await response.text()).slice(0, 200));
  const text = await response.text();
  openApi = { etag: response.headers.get("etag") ?? "", text };
  return text;
}

/** A text of this server. @throws Error if there is none */
export async function textOf(api: Api, path: string): Promise<string> {
  const response = await api.send({ method: "GET", path });
  if (response.ok) return response.text();
  await response.body?.cancel();
  throw new Error(`There is no ${path}. List the resources for the names of all guides.`);
}
