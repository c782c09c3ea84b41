/**
 * Pictograms in a box of 15 × 15, in one color: on the discs of points of interest, and in the heads of pins. Elements
 * with `fill="none"` are lines of that color.
 */
const TRAIN =
  '<path d="M5.600 3.700h3.800a1.100 1.100 0 0 1 1.100 1.100v3.900a1.100 1.100 0 0 1-1.100 1.100H5.600a1.100 1.100 0 0 1-1.100-1.100V4.800a1.100 1.100 0 0 1 1.100-1.100zm-.2 1.300v2h4.200V5zm.6 2.800a.55.55 0 1 0 .01 0zm3 0a.55.55 0 1 0 .01 0z" fill-rule="evenodd"/><path d="M6 10l-1 1.500M9 10l1 1.500" fill="none" stroke-width=".8" stroke-linecap="round"/>';

export const PICTOGRAMS = {
  food: '<path d="M5 3.8v3M6.2 3.8v3M7.4 3.8v3M6.2 6.6v4.8M9.6 11.400V3.900c-1.100.5-1.500 1.800-1.500 4h1.500" fill="none" stroke-width="1" stroke-linecap="round" stroke-linejoin="round"/>',
  shop: '<path d="M4.600 6h5.800l.5 5H4.100z"/><path d="M6 6.800V5.400a1.500 1.500 0 0 1 3 0v1.400" fill="none" stroke-width=".9"/>',
  culture:
    '<path d="M7.500 3.600l4 2.300v.7h-8v-.7zM4.300 7.100h1.200v3h-1.200zM6.900 7.100h1.200v3H6.900zM9.500 7.100h1.200v3H9.500zM3.700 10.500h7.600v1H3.700z"/>',
  park: '<path d="M7.500 3.200l2.300 3.300h-1l2 3H8.100v2H6.900v-2H4.200l2-3h-1z"/>',
  transit: TRAIN,
  health: '<path d="M6.500 4h2v2.500H11v2H8.500V11h-2V8.500H4v-2h2.500z"/>',
  school:
    '<path d="M7.500 4.200l4.500 2-4.500 2-4.500-2zM5 7.900v1.700c1.500 1.200 3.500 1.200 5 0V7.900l-2.500 1.100z"/>',
  lodging:
    '<path d="M3.600 5h1v3h6.800v3h-1V9.600H4.600V11h-1z"/><path d="M7 6.100h3.200a1.200 1.200 0 0 1 1.200 1.200H7z"/><circle cx="5.700" cy="6.700" r=".8"/>',
  service: '<circle cx="7.500" cy="7.500" r="2.200"/>',
  bus: '<path d="M5 3.500h5a1 1 0 0 1 1 1v5.600h-.8v1.100H8.900v-1.100H6.100v1.100H4.800v-1.100H4V4.500a1 1 0 0 1 1-1zm0 1.200v2.500h5V4.700zm.6 3.400a.6.6 0 1 0 .01 0zm3.800 0a.6.6 0 1 0 .01 0z" fill-rule="evenodd"/>',
  tram: '<path d="M6 2.900h3M7.500 2.900v1.500" fill="none" stroke-width=".8" stroke-linecap="round"/><path d="M5.700 4.400h3.600a.9.9 0 0 1 .9.9v4.100a.9.9 0 0 1-.9.9H5.700a.9.9 0 0 1-.9-.9V5.300a.9.9 0 0 1 .9-.9zm0 1.100v2h3.600v-2zm1.800 2.700a.7.7 0 1 0 .01 0z" fill-rule="evenodd"/><path d="M4.600 11.600h5.800" fill="none" stroke-width=".9" stroke-linecap="round"/>',
  station: TRAIN,
  ferry:
    '<path d="M5.300 6.800V5h1.500V3.500h1.400V5h1.500v1.800l1.800.8-1.100 2.500c-.8.5-1.200-.3-1.900-.3s-1.100.6-1.800.6-1-.6-1.700-.6-1 .5-1.400.2l-1-2.400z"/><path d="M3.600 11.500c.7.400 1.300-.2 2-.2s1.200.5 1.900.5 1.200-.5 1.900-.5 1.300.6 2 .2" fill="none" stroke-width=".8" stroke-linecap="round"/>',
  airport:
    '<path d="M7.500 2.900c.5 0 .8.6.8 1.300v2l3.900 2.400v1.100l-3.900-1.200v2.200l1.200.9v.8l-2-.5-2 .5v-.8l1.200-.9V8.500L2.800 9.700V8.600l3.900-2.400v-2c0-.7.3-1.300.8-1.300z"/>',
  heliport:
    '<path d="M4.900 4v7M10.100 4v7M4.900 7.500h5.200" fill="none" stroke-width="1.400" stroke-linecap="round"/>',
  parking:
    '<path d="M5.600 11.500V3.700h2.500a2.400 2.400 0 0 1 0 4.800H5.600" fill="none" stroke-width="1.500" stroke-linejoin="round"/>',
  fountain:
    '<path d="M7.500 9.500V5.600M7.500 5.600c-.3-1.500-2.700-1.500-2.800.4M7.500 5.600c.3-1.500 2.700-1.500 2.800.4" fill="none" stroke-width=".9" stroke-linecap="round"/><path d="M3.700 8.700h7.600c0 1.700-1.200 2.800-2.400 2.800H6.100c-1.200 0-2.400-1.100-2.400-2.800z"/>',
  grave: '<path d="M5 11.500V6.200a2.500 2.500 0 0 1 5 0v5.300zM4 11h7v.9H4z"/>',
  home: '<path d="M7.500 3.500l4.600 4.100H10.800v3.700H8.600V8.900H6.400v2.400H4.200V7.600H2.900z"/>',
  flag: '<path d="M5 3.200v8.600" fill="none" stroke-width="1" stroke-linecap="round"/><path d="M5.400 3.600h5.800L9.700 5.700l1.500 2.100H5.400z"/>',
  star: '<path d="M7.500 2.900l1.400 2.900 3.200.4-2.300 2.200.6 3.200-2.900-1.600-2.900 1.600.6-3.200-2.300-2.200 3.200-.4z"/>',
} as const;

export type Pictogram = keyof typeof PICTOGRAMS;

/** Kinds with an image other than that of their group, by the pictogram's name. */
export const KINDS_WITH_IMAGE = {
  bus: ["transit", ["bus_stop", "bus_station"]],
  tram: ["transit", ["tram_stop"]],
  station: ["transit", ["station", "halt", "subway_entrance"]],
  ferry: ["transit", ["ferry_terminal", "marina"]],
  airport: ["transit", ["aerodrome", "airport", "terminal"]],
  heliport: ["transit", ["helipad", "heliport"]],
  parking: ["transit", ["parking"]],
  fountain: ["culture", ["fountain"]],
  grave: ["park", ["cemetery"]],
} as const satisfies Partial<Record<Pictogram, readonly [group: string, kinds: readonly string[]]>>;

/** Symbols that a pin's head can show. */
export const SYMBOLS = (Object.keys(PICTOGRAMS) as Pictogram[]).filter((name) => name !== "service");

/** The pictogram with its lines in a color; its areas inherit the `fill` around it. */
export const inOneColor = (svg: string, color: string): string =>
  svg.replaceAll('fill="none"', `fill="none" stroke="${color}"`);
