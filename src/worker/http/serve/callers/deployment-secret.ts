import type { Env } from "../../../platform/env.ts";
import { ApiError } from "../../../platform/errors.ts";
import type { Endpoint } from "../endpoint.ts";
import { isSameSecret } from "./same-secret.ts";

/**
 * Admits the holder of a secret of the deployment.
 * @throws ApiError 404 where the deployment has no such secret, 401 without it in `Authorization: Bearer …`
 */
export async function admitBySecret(name: NonNullable<Endpoint["secret"]>, env: Env, request: Request): Promise<void> {
  const secret = env[name];
  if (!secret) throw new ApiError(404, "Not found. There is no such path.");
  const given = (request.headers.get("authorization") ?? "").replace(/^bearer /i, "").trim();
  if (await isSameSecret(given, secret)) return;
  throw new ApiError(401, `Unauthorized. Send the deployment's ${name} as a bearer token.`, {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}
