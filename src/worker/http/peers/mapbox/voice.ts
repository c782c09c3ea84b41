import type { GuidedStep } from "../../../../core/routing/guidance/steps/build-steps.ts";
import { tenths } from "../osrm/write-route.ts";

/**
 * When the next maneuver is spoken: so many seconds before it, at the speed of the step, within these distances [m]. On
 * a motorway that is two kilometers and 500 m before, in a town 700 m and 170 m, and then at the maneuver.
 */
const TIMES: readonly { seconds: number; min: number; max: number }[] = [
  { seconds: 65, min: 120, max: 2000 },
  { seconds: 16, min: 40, max: 500 },
];
const AT: (typeof TIMES)[number] = { seconds: 4, min: 12, max: 120 };

/** Between two texts there is time to speak the first [s]. */
const PAUSE = 5;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** The texts of a step, in the order in which they are spoken; none at the arrival. */
export function voiceOf(steps: readonly GuidedStep[], index: number) {
  const { distance, duration, voiceInstructions } = steps[index];
  const next = steps[index + 1];
  if (!next) return [];
  const speed = distance / Math.max(1, duration);
  const at = ({ seconds, min, max }: (typeof TIMES)[number]) => clamp(speed * seconds, min, max);
  const last = Math.min(at(AT), distance / 2);
  const spoken: { distance: number; text: string }[] = [];
  if (index === 0 && tenths(distance) > tenths(last)) spoken.push({ distance, text: voiceInstructions });
  for (const time of TIMES) {
    const ahead = at(time);
    const before = spoken[spoken.length - 1]?.distance ?? distance;
    const isFree = before - ahead >= (index === 0 || spoken.length > 0 ? speed * PAUSE : 0);
    if (ahead <= distance && isFree && ahead - last >= speed * PAUSE)
      spoken.push({ distance: ahead, text: next.announce(ahead) });
  }
  spoken.push({ distance: last, text: next.instructions });
  return spoken.map(({ distance: ahead, text }) => ({
    distanceAlongGeometry: tenths(ahead),
    announcement: text,
    ssmlAnnouncement: `<speak>${text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)}</speak>`,
  }));
}
