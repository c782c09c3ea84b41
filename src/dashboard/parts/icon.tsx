import type { IconNode } from "lucide";
import { h } from "preact";

/** A Lucide icon (ISC). Next to text it is decorative; alone it needs a `label`. */
export function Icon({ of, label, size = 16 }: { of: IconNode; label?: string; size?: number }) {
  const shapes = of.map(([tag, attributes], i) => h(tag, { ...attributes, key: i }));
  const said = label === undefined ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: hidden, or named by its label
    <svg class="icon" viewBox="0 0 24 24" style={{ width: `${size}px`, height: `${size}px` }} {...said}>
      {shapes}
    </svg>
  );
}
