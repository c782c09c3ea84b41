import type { Palette, PoiGroup } from "./palettes.ts";

/** A picture that styles name as `icon-image`: SVG content in a box of its own size [pixels at scale 1]. */
export interface Icon {
  width: number;
  height: number;
  /** SVG elements, without the <svg> around them. */
  svg: string;
}

/** Pictograms in a box of 15 × 15, drawn in `poiGlyph` on a disc of their group's colour. */
const PICTOGRAMS: Record<PoiGroup, string> = {
  food: '<path d="M5 3.8v3M6.2 3.8v3M7.4 3.8v3M6.2 6.6v4.8M9.6 11.400V3.900c-1.100.5-1.500 1.800-1.500 4h1.500" fill="none" stroke-width="1" stroke-linecap="round" stroke-linejoin="round"/>',
  shop: '<path d="M4.600 6h5.800l.5 5H4.100z"/><path d="M6 6.800V5.400a1.500 1.500 0 0 1 3 0v1.400" fill="none" stroke-width=".9"/>',
  culture:
    '<path d="M7.500 3.600l4 2.300v.7h-8v-.7zM4.300 7.100h1.200v3h-1.200zM6.900 7.100h1.200v3H6.900zM9.500 7.100h1.200v3H9.500zM3.700 10.500h7.600v1H3.700z"/>',
  park: '<path d="M7.500 3.200l2.300 3.300h-1l2 3H8.100v2H6.900v-2H4.200l2-3h-1z"/>',
  transit:
    '<path d="M5.600 3.700h3.800a1.100 1.100 0 0 1 1.100 1.100v3.900a1.100 1.100 0 0 1-1.100 1.100H5.600a1.100 1.100 0 0 1-1.100-1.100V4.800a1.100 1.100 0 0 1 1.100-1.100zm-.2 1.300v2h4.200V5zm.6 2.800a.55.55 0 1 0 .01 0zm3 0a.55.55 0 1 0 .01 0z" fill-rule="evenodd"/><path d="M6 10l-1 1.500M9 10l1 1.500" fill="none" stroke-width=".8" stroke-linecap="round"/>',
  health: '<path d="M6.500 4h2v2.500H11v2H8.500V11h-2V8.500H4v-2h2.500z"/>',
  school:
    '<path d="M7.500 4.200l4.500 2-4.500 2-4.500-2zM5 7.900v1.700c1.500 1.200 3.500 1.200 5 0V7.900l-2.500 1.100z"/>',
  lodging:
    '<path d="M3.600 5h1v3h6.800v3h-1V9.600H4.600V11h-1z"/><path d="M7 6.100h3.200a1.200 1.200 0 0 1 1.200 1.200H7z"/><circle cx="5.700" cy="6.700" r=".8"/>',
  service: '<circle cx="7.500" cy="7.500" r="2.200"/>',
};

/** Widths of shields by the number of characters they hold. */
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
  for (const group of Object.keys(PICTOGRAMS) as PoiGroup[]) {
    icons[`poi-${group}`] = {
      width: 17,
      height: 17,
      svg:
        `<g transform="translate(1 1)"><circle cx="7.500" cy="7.500" r="7.300" fill="${palette.poi[group]}" stroke="${palette.halo}" stroke-width="1"/>` +
        `<g fill="${palette.poiGlyph}" stroke="none">${PICTOGRAMS[group].replaceAll('fill="none"', `fill="none" stroke="${palette.poiGlyph}"`)}</g></g>`,
    };
  }
  for (let length = 1; length <= MAX_SHIELD_TEXT; length++) {
    const width = SHIELD_WIDTHS[length];
    const shield = (fill: string, edge: string): Icon => ({
      width,
      height: 15,
      svg: `<rect x=".75" y=".75" width="${width - 1.5}" height="13.500" rx="3" fill="${fill}" stroke="${edge}" stroke-width="1"/>`,
    });
    icons[`shield-${length}`] = shield(palette.shield, palette.majorCase);
    icons[`motorway-${length}`] = shield(palette.motorwayShield, palette.halo);
  }
  return icons;
}
