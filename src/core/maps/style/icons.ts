import type { Palette, PoiGroup } from "./palettes.ts";
import { inOneColor, KINDS_WITH_IMAGE, PICTOGRAMS, type Pictogram } from "./pictograms.ts";

/** An image that styles refer to as `icon-image`: SVG content in a box of its own size [pixels at scale 1]. */
export interface Icon {
  width: number;
  height: number;
  /** SVG elements, without the <svg> around them. */
  svg: string;
}

/** Widths of shields by their number of characters. */
const SHIELD_WIDTHS = [0, 15, 20, 26, 32, 38, 44];
export const MAX_SHIELD_TEXT = SHIELD_WIDTHS.length - 1;

/** All icons of a built-in style. */
export function iconsOf(palette: Palette): Record<string, Icon> {
  const icons: Record<string, Icon> = {
    arrow: {
      width: 13,
      height: 7,
      svg: `<path d="M1 3.500h8.500M8 1.200l3.400 2.300L8 5.800" fill="none" stroke="${palette.arrow}" stroke-width="1.300" stroke-linecap="round" stroke-linejoin="round"/>`,
    },
    town: {
      width: 8,
      height: 8,
      svg: `<circle cx="4" cy="4" r="2.400" fill="${palette.halo}" stroke="${palette.place}" stroke-width="1.300"/>`,
    },
    capital: {
      width: 10,
      height: 10,
      svg: `<circle cx="5" cy="5" r="3.600" fill="${palette.halo}" stroke="${palette.place}" stroke-width="1.200"/><circle cx="5" cy="5" r="1.600" fill="${palette.place}"/>`,
    },
  };
  const disc = (pictogram: Pictogram, color: string): Icon => ({
    width: 17,
    height: 17,
    svg:
      `<g transform="translate(1 1)"><circle cx="7.500" cy="7.500" r="7.300" fill="${color}" stroke="${palette.halo}" stroke-width="1"/>` +
      `<g fill="${palette.poiGlyph}" stroke="none">${inOneColor(PICTOGRAMS[pictogram], palette.poiGlyph)}</g></g>`,
  });
  for (const group of Object.keys(palette.poi) as PoiGroup[]) icons[`poi-${group}`] = disc(group, palette.poi[group]);
  for (const [name, [group]] of Object.entries(KINDS_WITH_IMAGE))
    icons[`poi-${name}`] = disc(name as Pictogram, palette.poi[group]);
  for (let length = 1; length <= MAX_SHIELD_TEXT; length++) {
    const width = SHIELD_WIDTHS[length];
    const shield = (fill: string, edge: string): Icon => ({
      width,
      height: 15,
      svg: `<rect x=".75" y=".75" width="${width - 1.5}" height="13.500" rx="3" fill="${fill}" stroke="${edge}" stroke-width="1"/>`,
    });
    icons[`shield-${length}`] = shield(palette.shield, palette.majorCase);
    icons[`motorway-${length}`] = shield(palette.motorwayShield, palette.halo);
    icons[`e-road-${length}`] = shield(palette.europeanShield, palette.halo);
    icons[`us-interstate-${length}`] = badge(width, palette.interstate, palette.halo, palette.crown);
    icons[`us-highway-${length}`] = badge(width, palette.shield, palette.shieldText);
    icons[`us-state-${length}`] = {
      width: width + 3,
      height: 16,
      svg: `<rect x=".75" y=".75" width="${width + 1.5}" height="14.500" rx="7.250" fill="${palette.shield}" stroke="${palette.shieldText}" stroke-width="1"/>`,
    };
  }
  return icons;
}

/** The badge of the US: a shield with two ears and a point below, with a band above the number where it is an interstate's. */
function badge(inner: number, fill: string, edge: string, band?: string): Icon {
  const width = Math.max(20, inner + 3);
  const at = (share: number) => Math.round(share * width * 100) / 100;
  const top = `M${at(0.12)} 2.500Q${at(0.3)} 3.900 ${at(0.5)} 1.800Q${at(0.7)} 3.900 ${at(0.88)} 2.500`;
  const shape = `${top}Q${at(1)} 6.500 ${at(0.95)} 10.500Q${at(0.87)} 16 ${at(0.5)} 19Q${at(0.13)} 16 ${at(0.05)} 10.500Q0 6.500 ${at(0.12)} 2.500z`;
  const crown = band ? `<path d="${top}L${at(0.955)} 5.400H${at(0.045)}z" fill="${band}"/>` : "";
  return {
    width,
    height: 20,
    svg: `<path d="${shape}" fill="${fill}"/>${crown}<path d="${shape}" fill="none" stroke="${edge}" stroke-width="1.100" stroke-linejoin="round"/>`,
  };
}
