import { z } from "zod";
import { imagesOf } from "../../../core/engagement/campaign.ts";
import { svgToPng } from "../../../core/maps/image/rasterise.ts";
import { builtInIcons, styleVersion } from "../../../core/maps/style/built-in.ts";
import { DEFAULT_STYLE } from "../../../core/maps/style/palettes.ts";
import { spriteOf } from "../../../core/maps/style/sprite.ts";
import { messageImage } from "../../answers/campaigns/message-images.ts";
import { UPLOAD_ID } from "../../answers/maps/icons.ts";
import { readyToDraw } from "../../answers/maps/map-assets.ts";
import { getIcon, uploadTag } from "../../answers/maps/uploads.ts";
import { campaignsOf } from "../../objects/campaigns/known-campaigns.ts";
import type { Env } from "../../platform/env.ts";
import { notFound } from "../../platform/errors.ts";
import { number } from "../../wire/input/fields.ts";
import { campaignEpochOf } from "../serve/callers/caller.ts";
import { etagOf, notModified } from "../serve/conditional.ts";
import { type Call, endpoint, MediaReply, type Reply } from "../serve/endpoint.ts";

/**
 * Single images for apps: `marker: "van"` of the JavaScript SDK, and images of messages in the iOS SDK. Both return
 * uploaded images, and nothing is fetched from elsewhere: an app can request other URLs itself.
 */

/** A new upload with the same name is visible within this time [s]. */
const FRESH_FOR = 300;

const scaleField = number({ min: 1, max: 3, integer: true })
  .default(2)
  .meta({ description: "output pixels per image pixel; an upload has up to 64 × 64 pixels" });

export const mapMarker = endpoint({
  name: "mapMarker",
  method: "GET",
  path: "/maps/markers/:id",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns the image of a marker: an uploaded icon, or an icon of the default style.",
  description:
    "The `marker` option of radar-sdk-js specifies the icon. The default style has the icons of its sprite (`bus`, `museum`, …). The SDK " +
    "shows its own pin if the icon doesn't exist. You can pass the key as `publishableKey`.",
  query: z.object({ scale: scaleField }),
  media: ["image/png"],
  errors: [404],
  async handle(call) {
    const { id } = call.params;
    const { scale } = call.query;
    return (await uploaded(call, id, scale)) ?? (await builtIn(call, id, scale)) ?? raise(notFound("Marker"));
  },
});

export const getAsset = endpoint({
  name: "getAsset",
  method: "GET",
  path: "/v1/assets/:url",
  level: "publishable",
  geodataOnly: true,
  chapter: "Maps",
  summary: "Returns an uploaded image by its id, or the image of a campaign by its URL.",
  description:
    "The iOS SDK loads the images of messages here; the suffix `.png` of an id is optional. URLs are only those of the " +
    "project's campaigns (https, PNG, JPEG, WebP or GIF, up to 1 MB).",
  query: z.object({ scale: scaleField }),
  media: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  errors: [404],
  async handle(call) {
    const { url } = call.params;
    if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return campaignImage(call, url);
    return (await uploaded(call, url.replace(/\.png$/i, ""), call.query.scale)) ?? raise(notFound("Asset"));
  },
});

/** Only images of the project's campaigns: any other URL would make the server a proxy for everyone with a key. */
async function campaignImage(
  { caller, env, now }: Pick<Call, "caller" | "env" | "now">,
  url: string,
): Promise<Response> {
  const book = await campaignsOf(env, caller.scope, campaignEpochOf(caller));
  const known = [...(book?.byId.values() ?? [])].some((campaign) => imagesOf(campaign).includes(url));
  const image = known ? await messageImage(env, url, now) : undefined;
  if (!image) throw notFound("Asset");
  return new Response(image.bytes as BodyInit, {
    headers: {
      "content-type": image.type,
      "cache-control": "public, max-age=3600",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}

type Asked = Pick<Call, "caller" | "request"> & { env: Env };

async function uploaded({ caller, env, request }: Asked, id: string, scale: number): Promise<Reply | undefined> {
  const tag = UPLOAD_ID.test(id) ? await uploadTag(env, caller.scope, "icons", id) : undefined;
  if (tag === undefined) return undefined;
  return answer(request, await etagOf("marker", tag, String(scale)), async () => {
    const icon = await getIcon(env, caller.scope, id);
    return icon?.pngs[scale - 1];
  });
}

async function builtIn({ request }: Asked, id: string, scale: number): Promise<Reply | undefined> {
  const icons = builtInIcons(DEFAULT_STYLE);
  if (!Object.hasOwn(icons, id)) return undefined;
  return answer(request, await etagOf("marker", id, styleVersion(DEFAULT_STYLE), String(scale)), async () => {
    readyToDraw();
    return svgToPng(spriteOf({ [id]: icons[id] }, scale > 1 ? 2 : 1).svg);
  });
}

async function answer(request: Request, etag: string, draw: () => Promise<Uint8Array | undefined>) {
  const headers = { etag, "cache-control": `private, max-age=${FRESH_FOR}` };
  const known = notModified(request, etag, headers);
  if (known) return known;
  const png = await draw();
  // Deleted in the meantime.
  return png && new MediaReply(png as BufferSource, { ...headers, "content-type": "image/png" });
}

function raise(error: Error): never {
  throw error;
}
