import { Check, X } from "lucide";
import type { explainEvent } from "../../../worker/http/insight/explain.ts";
import type { Answer } from "../../api/client.ts";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/states.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { exact, metres, minutes, position, speed, Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { typeWords, withoutTypes } from "../../parts/values/type-words.ts";
import "./explanation.css";

/** The decisions of the step that generated an event, or did not. */
export type Explained = Answer<typeof explainEvent>;
type ExplanationBody = Explained["explanation"];
/** The update, and what was known before it: what both have. */
type DeviceMoment = Partial<NonNullable<ExplanationBody["update"]> & NonNullable<ExplanationBody["before"]>>;

export function Explanation({ of }: { of: ExplanationBody }) {
  return (
    <div class="stack">
      <p class="verdict">{withoutTypes(of.sentence)}</p>
      {of.notKnown.length > 0 && (
        <Note tone="warn">
          {of.notKnown.map((sentence) => (
            <p key={sentence}>{withoutTypes(sentence)}</p>
          ))}
        </Note>
      )}
      <ol class="steps">
        {of.steps.map(({ rule, passed, sentence, figures }, i) => (
          <li key={`${rule} ${i}`} class={passed ? "met" : "unmet"}>
            <Icon of={passed ? Check : X} label={passed ? "Met" : "Not met"} />
            <div class="grow">
              <p>{withoutTypes(sentence)}</p>
              <Figures of={figures} />
            </div>
          </li>
        ))}
      </ol>
      <div class="cards">
        {of.update && <At title="The update" moment={of.update} />}
        {of.before && <At title="State before the update" moment={of.before} />}
      </div>
    </div>
  );
}

function At({ title, moment }: { title: string; moment: DeviceMoment }) {
  const { at, accuracy } = moment;
  return (
    <section>
      <h3>{title}</h3>
      <Facts
        rows={[
          ["Time", at && <Time key="at" at={at} as="exact" />],
          ["Position", moment.location && position(moment.location.coordinates)],
          ["Accuracy", accuracy === undefined ? undefined : metres(accuracy)],
          ["Speed", moment.speed === undefined ? undefined : speed(moment.speed)],
          ["Stopped", moment.stopped === undefined ? undefined : moment.stopped ? "yes" : "no"],
          ["In geofences", moment.geofences && fenceNames(moment.geofences)],
          ["In foreground", moment.foreground === undefined ? undefined : moment.foreground ? "yes" : "no"],
        ]}
      />
    </section>
  );
}

const fenceNames = (fences: NonNullable<DeviceMoment["geofences"]>) =>
  fences.length === 0 ? "none" : fences.map(nameOfRecord).join(", ");

/** Figures carry their unit in their name: `distanceM`, `dwellMinutes`; the rest is shown as it is. */
function Figures({ of }: { of: Record<string, unknown> | undefined }) {
  const entries = Object.entries(of ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length === 0) return null;
  return (
    <p class="figures-line small muted">
      {entries.map(([name, value]) => (
        <span key={name}>
          {wordsOf(name)} <span class="number">{figureText(name, value)}</span>
        </span>
      ))}
    </p>
  );
}

const wordsOf = (name: string) =>
  name
    .replace(/([A-Z])/g, " $1")
    .toLowerCase()
    .trim();

function figureText(name: string, value: unknown): string {
  if (typeof value === "number") {
    if (/minutes|duration|dwell/i.test(name)) return minutes(value);
    // A distance to an edge is negative inside of it.
    if (name === "distance" && value < 0) return `${metres(-value)} inside`;
    if (/metres|distance|accuracy|radius|edge|buffer/i.test(name)) return metres(value);
    return String(Math.round(value * 100) / 100);
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return JSON.stringify(value);
  if (name === "type") return typeWords(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? exact(value) : value;
}
