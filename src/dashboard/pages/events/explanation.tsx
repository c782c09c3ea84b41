import { Check, X } from "lucide";
import { Facts } from "../../parts/facts.tsx";
import { Icon } from "../../parts/icon.tsx";
import { metres, minutes, position, speed } from "../../parts/number.tsx";
import { Time } from "../../parts/time.tsx";
import "./explanation.css";

/** What the step that made an event, or did not, has decided on its way (GET /v1/events/:id/explain). */
export interface Explained {
  explanation: {
    verdict: string;
    sentence: string;
    update?: Moment;
    before?: Moment;
    steps: { rule: string; passed: boolean; sentence: string; figures?: Record<string, unknown> }[];
  };
}

interface Moment {
  at?: string;
  createdAt?: string;
  location?: { coordinates: number[] };
  accuracy?: number;
  locationAccuracy?: number;
  speed?: number;
  stopped?: boolean;
  foreground?: boolean;
}

export function Explanation({ of }: { of: Explained["explanation"] }) {
  return (
    <div class="stack">
      <p class="verdict">{of.sentence}</p>
      <ol class="steps">
        {of.steps.map(({ rule, passed, sentence, figures }, i) => (
          <li key={`${rule} ${i}`} class={passed ? "passed" : "stopped"}>
            <Icon of={passed ? Check : X} label={passed ? "Passed" : "Stopped here"} />
            <div class="grow">
              <p>{sentence}</p>
              <Figures of={figures} />
            </div>
          </li>
        ))}
      </ol>
      <div class="cards">
        {of.update && <At title="The update" moment={of.update} />}
        {of.before && <At title="What was known before" moment={of.before} />}
      </div>
    </div>
  );
}

function At({ title, moment }: { title: string; moment: Moment }) {
  const at = moment.at ?? moment.createdAt;
  const accuracy = moment.accuracy ?? moment.locationAccuracy;
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
          ["In foreground", moment.foreground === undefined ? undefined : moment.foreground ? "yes" : "no"],
        ]}
      />
    </section>
  );
}

/** Figures carry their unit in their name: `distanceM`, `dwellMinutes`; the rest is shown as it is. */
function Figures({ of }: { of: Record<string, unknown> | undefined }) {
  const entries = Object.entries(of ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (entries.length === 0) return null;
  return (
    <p class="figures-line small muted">
      {entries.map(([name, value]) => (
        <span key={name}>
          {words(name)} <span class="number">{shown(name, value)}</span>
        </span>
      ))}
    </p>
  );
}

const words = (name: string) =>
  name
    .replace(/([A-Z])/g, " $1")
    .toLowerCase()
    .trim();

function shown(name: string, value: unknown): string {
  if (typeof value === "number") {
    if (/minutes|duration|dwell/i.test(name)) return minutes(value);
    if (/metres|distance|accuracy|radius|edge/i.test(name)) return metres(value);
    return String(Math.round(value * 100) / 100);
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
