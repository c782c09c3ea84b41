/**
 * Palettes without colors, for maps below the user's own data: computed from the lightness of a colored one, so that
 * its distinctions are preserved, and shifted towards a tone.
 */
const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The gray with the brightness of a color (ITU-R BT.601's weights), 0 to 255. */
function brightness(hex: string): number {
  const [red, green, blue] = channels(hex);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

const grey = (value: number) => {
  const part = Math.round(Math.max(0, Math.min(255, value)))
    .toString(16)
    .padStart(2, "0");
  return `#${part}${part}${part}`;
};

/** Every color of a palette as the gray that `tone` returns for its brightness; `own` are the exceptions. */
export function toned<P extends object>(palette: P, tone: (brightness: number) => number, own: Partial<P>): P {
  const change = <T>(value: T): T => {
    if (typeof value === "string") return grey(tone(brightness(value))) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)])) as T;
  };
  return { ...change(palette), ...own };
}
