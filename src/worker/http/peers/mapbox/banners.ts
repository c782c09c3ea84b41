import type { GuidedStep } from "../../../../core/routing/guidance/steps/build-steps.ts";
import { partsOfSign } from "../../../../core/routing/guidance/text/instruction.ts";
import { tenths } from "../osrm/write-route.ts";

/** Writes what Mapbox shows above the map: the next maneuver, its sign, its lanes, and the maneuver that follows soon. */

interface Component {
  type: "text" | "icon" | "delimiter" | "exit" | "exit-number" | "lane";
  text: string;
}

/** Lanes and the maneuver after the next one are shown from here on [m], at most. */
const NEAR = 400;
/** A maneuver follows soon if it is at most so many seconds after the next one. */
const SOON = 10;

const textOf = (components: readonly Component[]) => components.map(({ text }) => text).join(" ");

/** Texts with "/" between them. */
const separated = (texts: readonly string[], type: "text" | "icon"): Component[] =>
  texts.flatMap((text, i) => [...(i > 0 ? [{ type: "delimiter" as const, text: "/" }] : []), { type, text }]);

function primaryComponents({ step, bannerInstructions }: GuidedStep, arrivalName: string | undefined): Component[] {
  if (step.maneuver.type === "arrive") return [{ type: "text", text: arrivalName || bannerInstructions }];
  const [exit] = partsOfSign(step.exitRef ?? "");
  const begin: Component[] = exit
    ? [
        { type: "exit", text: "Exit" },
        { type: "exit-number", text: exit },
      ]
    : [];
  const names = step.name === "" ? [] : [step.name];
  const refs = partsOfSign(step.ref).filter((ref) => ref !== step.name);
  const road = [
    ...separated(names, "text"),
    ...(names.length > 0 && refs.length > 0 ? [SLASH] : []),
    ...separated(refs, "icon"),
  ];
  const all = [...begin, ...road];
  return all.length > 0 ? all : [{ type: "text", text: bannerInstructions }];
}

const SLASH: Component = { type: "delimiter", text: "/" };

function signComponents({ step }: GuidedStep): Component[] {
  const refs = partsOfSign(step.destinationRef ?? "");
  const places = partsOfSign(step.destination ?? "");
  return [
    ...separated(refs, "icon"),
    ...(refs.length > 0 && places.length > 0 ? [SLASH] : []),
    ...separated(places, "text"),
  ];
}

function content(step: GuidedStep, components: readonly Component[], after: GuidedStep | undefined) {
  const { type, modifier } = step.step.maneuver;
  return {
    text: textOf(components),
    components,
    type,
    ...(modifier && { modifier }),
    ...(isCircle(type) && after && { degrees: degreesOf(step, after), driving_side: step.step.drivingSide }),
  };
}

const isCircle = (type: string) => type === "roundabout" || type === "rotary";

/** How far a circle is traveled; 180: straight through. */
function degreesOf({ bearingBefore, step }: GuidedStep, after: GuidedStep): number {
  const turn = Math.round(after.bearingBefore - bearingBefore);
  const angle = step.drivingSide === "right" ? 540 - turn : 540 + turn;
  return ((angle % 360) + 360) % 360;
}

/** Lanes before a maneuver, or the maneuver that follows soon. */
function subOf(next: GuidedStep, after: GuidedStep | undefined) {
  const { lanes } = next.step;
  if (lanes) {
    const components = lanes.map(({ indications, active, valid }) => ({
      type: "lane" as const,
      text: "",
      directions: indications,
      active,
      ...(valid &&
        active &&
        next.step.maneuver.modifier && { active_direction: directionOf(indications, next.step.maneuver.modifier) }),
    }));
    return { text: "", components };
  }
  if (!after || next.duration > SOON || next.step.maneuver.type === "arrive") return undefined;
  return content(after, primaryComponents(after, undefined), undefined);
}

/** The arrow of a lane that leads along a maneuver: the one with its name, or the first. */
const directionOf = (indications: readonly string[], modifier: string) =>
  indications.find((one) => one === modifier) ?? indications[0];

/** The banners of a step, about the maneuver at its end; none at the arrival. */
export function bannersOf(steps: readonly GuidedStep[], index: number, arrivalName: string | undefined) {
  const { distance } = steps[index];
  const [next, after] = [steps[index + 1], steps[index + 2]];
  if (!next) return [];
  const primary = content(next, primaryComponents(next, arrivalName), after);
  const sign = signComponents(next);
  const secondary = sign.length > 0 ? content(next, sign, undefined) : null;
  const sub = subOf(next, after);
  const all = { distanceAlongGeometry: tenths(distance), primary, secondary };
  if (!sub) return [{ ...all, sub: null }];
  if (distance <= NEAR) return [{ ...all, sub }];
  return [
    { ...all, sub: null },
    { ...all, distanceAlongGeometry: NEAR, sub },
  ];
}
