import { Crosshair, X } from "lucide";
import { CLICK } from "../../base/pointer.ts";
import { Field } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import type { Spot } from "./draft.ts";

interface SpotFieldProps {
  label: string;
  hint?: string;
  problem?: string;
  placeholder: string;
  value: string;
  /** One in each line. */
  several?: boolean;
  onChange: (value: string) => void;
  mine: Spot;
  spot: Spot | undefined;
  onSpot: (spot: Spot | undefined) => void;
}

/** Positions that are typed, or clicked on the map. */
export function SpotField({ mine, spot, onSpot, several, ...field }: SpotFieldProps) {
  const isActive = JSON.stringify(spot) === JSON.stringify(mine);
  const { label, value, onChange } = field;
  return (
    <div class="row place-field">
      <div class="grow">
        <Field {...field} mono lines={several ? Math.min(6, Math.max(2, value.split("\n").length)) : undefined} />
      </div>
      <Button
        icon={Crosshair}
        label={`${CLICK} ${label} on the map`}
        pressed={isActive}
        main={isActive}
        onClick={() => onSpot(isActive ? undefined : mine)}
      />
      {value !== "" && <Button bare icon={X} label={`Clear ${label}`} onClick={() => onChange("")} />}
    </div>
  );
}
