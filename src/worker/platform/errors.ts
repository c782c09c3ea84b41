/** An error for the caller: an invalid request, or a state of the project. It becomes the API's error body. */
export class ApiError extends Error {
  readonly status: number;
  readonly param: string | undefined;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { param?: string; type?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.param = details.param;
    this.type = details.type;
    this.headers = details.headers ?? {};
  }
}

/** 400 for a parameter: "limit: Invalid limit. Valid range: [1, 100]." */
export function invalid(param: string, rule: string): ApiError {
  const name = beforeBracket(param);
  return new ApiError(400, `${param}: Invalid ${name}.${rule ? ` ${rule}` : ""}`, { param });
}

/** "metadata[key]" → "metadata": the key is the caller's data. */
export function beforeBracket(param: string): string {
  const bracket = param.indexOf("[");
  return bracket < 0 ? param : param.slice(0, bracket);
}

/** 400 for a missing parameter: "near: Required." */
export function required(param: string, why?: string): ApiError {
  return new ApiError(400, `${param}: Required.${why ? ` ${why}` : ""}`, { param });
}

export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found.`);
}

/** The body of every error: `{meta: {code, param?, message, type?}}`. */
export function errorBody(error: ApiError): { meta: Record<string, unknown> } {
  const meta: Record<string, unknown> = { code: error.status };
  if (error.param) meta.param = error.param;
  if (error.type) meta.type = error.type;
  meta.message = error.message;
  return { meta };
}
