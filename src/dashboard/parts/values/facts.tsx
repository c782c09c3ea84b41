import type { ComponentChildren } from "preact";
import "./facts.css";

/** Names and values of one item. Undefined values and false are omitted. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren | undefined])[] }) {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== undefined && value !== "" && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Metadata as lines of a value of `Facts`. */
export const MetadataLines = ({ of }: { of: Record<string, unknown> }) => (
  <>
    {Object.entries(of).map(([key, value]) => (
      <span key={key} class="block">
        <span class="muted">{key}</span> {String(value)}
      </span>
    ))}
  </>
);

/** Whatever a customer keeps with a thing, as key and value. */
export function Metadata({ of }: { of: Record<string, unknown> | undefined }) {
  const entries = Object.entries(of ?? {});
  if (entries.length === 0) return <span class="muted">–</span>;
  return (
    <Facts rows={entries.map(([name, value]) => [name, <code key={name}>{JSON.stringify(value)}</code>] as const)} />
  );
}
