import { useMemo, useState } from "preact/hooks";
import { encodeLine } from "../../../core/geo/shapes/polyline.ts";
import { useQuery } from "../../api/hooks.ts";
import "./elevation-profile.css";

/** Points of the line that are sent: an encoded point takes 8 to 12 characters, and the path may have 7,000. */
const MAX_POINTS = 500;
const SAMPLES = 160;
/** Size of the drawing [units of its view box]. */
const WIDTH = 320;
const HEIGHT = 96;
/** A flat way must not look like a mountain range [m]. */
const MIN_RANGE_METERS = 40;
const FEET_PER_METER = 3.28084;
const METERS_PER_MILE = 1609.344;

interface Sample {
  distance: number;
  elevation?: number;
}

interface Profile {
  distance: number;
  ascent?: number;
  descent?: number;
  min?: number;
  max?: number;
  samples: Sample[];
}

/** The ground along a route, with its climbs; nothing where no elevations are imported. @param pairs longitude, latitude */
export function ElevationProfile({ pairs, imperial }: { pairs: readonly number[][]; imperial: boolean }) {
  const path = useMemo(() => encodeLine(thinLine(pairs), 6), [pairs]);
  const { data } = useQuery<{ profile?: Profile }>("/v1/elevation", { path, samples: String(SAMPLES) });
  const [at, setAt] = useState<number>();
  const profile = data?.profile;
  if (profile?.min === undefined || profile.max === undefined) return null;
  const known = profile.samples.filter((sample): sample is Required<Sample> => sample.elevation !== undefined);
  const range = Math.max(MIN_RANGE_METERS, profile.max - profile.min);
  const low = (profile.min + profile.max - range) / 2;
  const x = ({ distance }: Sample) => (distance / profile.distance) * WIDTH;
  const y = ({ elevation }: Required<Sample>) => HEIGHT - 4 - ((elevation - low) / range) * (HEIGHT - 12);
  const line = known.map((sample) => `${x(sample).toFixed(1)},${y(sample).toFixed(1)}`).join(" ");
  const [first, last] = [known[0], known[known.length - 1]];
  const height = (meters: number) =>
    imperial ? `${Math.round(meters * FEET_PER_METER)} ft` : `${Math.round(meters)} m`;
  const pointed = at === undefined ? undefined : nearestSample(known, at * profile.distance);
  const climb = [
    profile.ascent !== undefined && `${height(profile.ascent)} up`,
    profile.descent !== undefined && `${height(profile.descent)} down`,
  ].filter((text) => text !== false);
  return (
    <figure class="elevation-profile stack tight">
      <figcaption class="row ends">
        <h2>Elevation</h2>
        <span class="muted small">
          {pointed
            ? `${height(pointed.elevation)} at ${alongText(pointed.distance, imperial)}`
            : `${height(profile.min)} to ${height(profile.max)}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Elevation along ${alongText(profile.distance, imperial)}: ${[`${height(profile.min)} to ${height(profile.max)}`, ...climb].join(", ")}`}
        onPointerMove={(event) => setAt(event.offsetX / event.currentTarget.clientWidth)}
        onPointerLeave={() => setAt(undefined)}
      >
        <polygon points={`${x(first)},${HEIGHT} ${line} ${x(last)},${HEIGHT}`} />
        <polyline points={line} />
        {pointed && <line x1={x(pointed)} x2={x(pointed)} y1={0} y2={HEIGHT} />}
      </svg>
      <div class="row ends muted small">
        <span>{climb.join(", ")}</span>
        <span>{alongText(profile.distance, imperial)}</span>
      </div>
    </figure>
  );
}

function thinLine(pairs: readonly number[][]) {
  const step = Math.ceil(pairs.length / MAX_POINTS);
  return pairs
    .filter((_, i) => i % step === 0 || i === pairs.length - 1)
    .map(([longitude, latitude]) => ({ latitude, longitude }));
}

function nearestSample(samples: readonly Required<Sample>[], distance: number): Required<Sample> {
  return samples.reduce((best, one) =>
    Math.abs(one.distance - distance) < Math.abs(best.distance - distance) ? one : best,
  );
}

const alongText = (meters: number, imperial: boolean): string =>
  imperial ? `${(meters / METERS_PER_MILE).toFixed(1)} mi` : `${(meters / 1000).toFixed(1)} km`;
