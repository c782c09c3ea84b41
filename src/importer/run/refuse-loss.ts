import type { Manifest } from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../common/import-error.ts";
import { isContent } from "../report/contents.ts";

/** A layer with less than this share of the live one has nearly nothing of it: a city may replace a country, a broken file may not. */
const MIN_SHARE = 0.01;
/** Fewer live things than this are no loss, as in a first try with a small file. */
const MIN_LIVE = 100;

/** Layers that are drawn from the world base, too, so that even an import of nothing has much in them. */
const WITH_WORLD: readonly string[] = ["regions", "basemap"];

/** Layers of which a build has nearly nothing, with what is live and what would be. Those that `--layers` omits are no mistake. */
export function lostLayers(live: Manifest, next: Manifest): { layer: string; live: number; next: number }[] {
  const names = Object.keys(live.layers).filter((name) => !WITH_WORLD.includes(name));
  const common = names.filter((name) => next.layers[name]);
  // Elevations or postal codes in place of a map are a mistake in the name.
  const compared = common.length > 0 ? common : names;
  return compared.flatMap((layer) => {
    const [before, after] = [contentOf(live, layer), contentOf(next, layer)];
    return before >= MIN_LIVE && after < MIN_SHARE * before ? { layer, live: before, next: after } : [];
  });
}

/** Addresses of an area are counted among all addresses, too. */
const OF_AREA = /^addresses in /;

const contentOf = ({ layers }: Manifest, layer: string): number =>
  Object.entries(layers[layer]?.counts ?? {}).reduce(
    (sum, [what, count]) => sum + (isContent(what) && !OF_AREA.test(what) ? count : 0),
    0,
  );

/** @throws ImportError for a build that would leave nearly nothing of the live one of its name */
export function refuseLoss(live: Manifest, next: Manifest): void {
  const lost = lostLayers(live, next);
  if (lost.length === 0) return;
  const shown = (count: number) => count.toLocaleString("en-US");
  const figures = lost.map(({ layer, live, next }) => `${layer} ${shown(next)} instead of ${shown(live)}`);
  throw new ImportError(
    `This import has nearly nothing of what is live as ${next.name}: ${figures.join(", ")}. What is live did not change. Use another --name, or --force to replace it.`,
  );
}
