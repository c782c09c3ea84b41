import { useId } from "preact/hooks";
import { colorIn } from "../../core/maps/overlay-sections.ts";
import { Field } from "./fields.tsx";

interface ColorFieldProps {
  label: string;
  value: string;
  /** The API default as #rrggbb; undefined if nothing is drawn by default. */
  usual?: string;
  onChange: (value: string) => void;
}

/** A color in API format, `0xRRGGBB`, `0xRRGGBBAA` or a CSS name, picked or typed. Empty: the API default. */
export function ColorField({ label, value, usual, onChange }: ColorFieldProps) {
  const id = useId();
  const color = colorIn(value.trim());
  const picked = color ? hexOf(color) : (usual ?? "#ffffff");
  // Picking another colour leaves it as opaque as it was.
  const alpha = color && color[3] < 1 ? hexByte(color[3] * 255) : "";
  return (
    <div class="color-field">
      <div class="field">
        <label for={id}>Pick</label>
        <input
          id={id}
          type="color"
          aria-label={`Pick: ${label}`}
          value={picked}
          onInput={({ currentTarget }) => onChange(`0x${currentTarget.value.slice(1)}${alpha}`)}
        />
      </div>
      <Field
        label={label}
        value={value}
        mono
        placeholder={usual ? usual.replace("#", "0x") : "none"}
        problem={value.trim() !== "" && !color ? "0xRRGGBB, 0xRRGGBBAA or a CSS color" : undefined}
        onChange={onChange}
      />
    </div>
  );
}

const hexByte = (value: number) => Math.round(value).toString(16).padStart(2, "0");
const hexOf = ([red, green, blue]: readonly number[]) => `#${hexByte(red)}${hexByte(green)}${hexByte(blue)}`;
