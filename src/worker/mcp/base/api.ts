/** The API of this server, as tools call it: with the caller's own key, so that access, limits and validation are those of HTTP. */

/** A request to the API. Undefined parameters are not sent. */
export interface ApiRequest {
  method: "GET" | "POST";
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
  /** The ETag of a copy that the caller has. */
  ifNoneMatch?: string;
}

/** The caller, as far as tools depend on it. */
export interface ApiCaller {
  live: boolean;
  /** A secret key, or a member. */
  secret: boolean;
}

export interface Api extends ApiCaller {
  send(request: ApiRequest): Promise<Response>;
}

/** A problem that the client's model can solve: the message states the next step. */
export class ToolError extends Error {}

/** What to do next, by status. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  401: "Check the key of this connection: the dashboard lists and rotates keys under Settings.",
  402: "An admin of the project can enable it or raise its quota.",
  403: "This needs a secret key (prj_test_sk_… or prj_live_sk_…), or a member whose role permits it.",
  451: "The project does not serve this country. Do not retry.",
};

/** Attempts for a request over its limit, and the longest wait before the next one [s]. */
const MAX_ATTEMPTS = 4;
const MAX_WAIT_SECONDS = 2;

/**
 * The JSON of a successful response. A request over the rate limit is repeated after the time that the response states, if that is
 * short.
 * @throws ToolError with the API's message and the next step
 */
async function callApi<T>(api: Api, request: ApiRequest): Promise<T> {
  const response = await sendPatiently(api, request);
  if (response.ok) return (await response.json()) as T;
  throw await problemOf(response);
}

/** @throws ToolError */
export const getJson = <T>(api: Api, path: string, query?: ApiRequest["query"]) =>
  callApi<T>(api, { method: "GET", path, query });

/** @throws ToolError */
export const postJson = <T>(api: Api, path: string, body: unknown) => callApi<T>(api, { method: "POST", path, body });

/** The bytes of a successful response, such as an image. @throws ToolError */
export async function callForBytes(api: Api, request: ApiRequest): Promise<{ bytes: Uint8Array; headers: Headers }> {
  const response = await sendPatiently(api, request);
  if (response.ok) return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
  throw await problemOf(response);
}

/** The API's message of an error, and the next step. */
async function problemOf(response: Response): Promise<ToolError> {
  const { meta } = (await response.json()) as { meta?: { message?: string } };
  return new ToolError([meta?.message ?? `Status ${response.status}.`, nextStep(response)].filter(Boolean).join(" "));
}

async function sendPatiently(api: Api, request: ApiRequest): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await api.send(request);
    const seconds = Number(response.headers.get("retry-after") ?? MAX_WAIT_SECONDS + 1);
    if (response.status !== 429 || attempt === MAX_ATTEMPTS || seconds > MAX_WAIT_SECONDS) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

function nextStep({ status, headers }: Response): string {
  const seconds = headers.get("retry-after");
  if ((status === 429 || status === 503) && seconds) return `Call this tool again in ${seconds} seconds.`;
  return NEXT_STEPS[status] ?? "";
}
