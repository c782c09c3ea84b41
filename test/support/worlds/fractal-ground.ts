import { seededRandom } from "../../bench/support/random.ts";

/** Elevation of a point [m]. */
type Ground = (latitude: number, longitude: number) => number;

/** Gradient noise (K. Perlin 1985) on a torus of 256 × 256 cells, about −0.7 to 0.7. */
function gradientNoise(seed: number): (x: number, y: number) => number {
  const random = seededRandom(seed);
  const order = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const angles = Float64Array.from({ length: 256 }, () => 2 * Math.PI * random());
  const corner = (cx: number, cy: number, dx: number, dy: number) => {
    const angle = angles[order[(order[cx & 255] + cy) & 255]];
    return Math.cos(angle) * dx + Math.sin(angle) * dy;
  };
  const fade = (t: number) => t * t * t * (t * (6 * t - 15) + 10);
  return (x, y) => {
    const [cx, cy] = [Math.floor(x), Math.floor(y)];
    const [dx, dy] = [x - cx, y - cy];
    const [u, v] = [fade(dx), fade(dy)];
    const north = corner(cx, cy, dx, dy) * (1 - u) + corner(cx + 1, cy, dx - 1, dy) * u;
    const south = corner(cx, cy + 1, dx, dy - 1) * (1 - u) + corner(cx + 1, cy + 1, dx - 1, dy - 1) * u;
    return north * (1 - v) + south * v;
  };
}

interface FractalOptions {
  seed?: number;
  /** Height of the highest mountains [m]. */
  relief: number;
  /** Distance of the largest mountains [km]. */
  kilometers?: number;
  /** Roughness: height of each octave, as a share of the one before. Real mountains have about 0.5. */
  gain?: number;
}

/** Ground with ridges and valleys of all sizes down to 20 m (ridged multifractal: F. K. Musgrave 1998). */
export function fractalGround({ seed = 1, relief, kilometers = 12, gain = 0.5 }: FractalOptions): Ground {
  const noise = gradientNoise(seed);
  return (latitude, longitude) => {
    const x = (longitude * 111.3 * Math.cos((latitude * Math.PI) / 180)) / kilometers;
    const y = (latitude * 111.3) / kilometers;
    let [sum, amplitude, weight, scale] = [0, 1, 1, 1];
    for (let octave = 0; octave < 8; octave++) {
      const ridge = (1 - Math.abs(1.6 * noise(x * scale + 7.3 * octave, y * scale + 3.1 * octave))) ** 2;
      sum += amplitude * ridge * weight;
      weight = Math.max(0.15, Math.min(1, ridge * 1.3));
      amplitude *= gain;
      scale *= 2;
    }
    return (sum / 2) * relief;
  };
}
