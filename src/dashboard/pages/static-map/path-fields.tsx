import { Plus } from "lucide";
import { ColorField } from "../../forms/color-field.tsx";
import { Field, Switch } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { type Draft, NEW_PATH } from "./draft.ts";
import { type ItemProps, Items } from "./items.tsx";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

/** Half transparent: what an area begins with. */
const FIRST_FILL = "0x2a9d8f80";

/** Lines and areas. */
export function PathFields({ draft, onChange, spot, onSpot, problemOf }: PartProps) {
  return (
    <Items
      of="path"
      title="Paths and areas"
      word="path"
      addWords="Add a path"
      items={draft.paths}
      fresh={NEW_PATH}
      onItems={(paths) => onChange({ ...draft, paths })}
      onSpot={onSpot}
    >
      {(props) => <OnePath {...props} {...{ spot, onSpot, problemOf }} />}
    </Items>
  );
}

function OnePath({
  item: path,
  index,
  name,
  put,
  remove,
  spot,
  onSpot,
  problemOf,
}: ItemProps<Draft["paths"][number]> & Pick<PartProps, "spot" | "onSpot" | "problemOf">) {
  const putHole = (at: number, text: string) => put({ holes: path.holes.map((hole, i) => (i === at ? text : hole)) });
  const isArea = path.fill !== "";
  return (
    <>
      <SpotField
        label={name}
        placeholder="One latitude,longitude or enc:… per line"
        problem={problemOf("path")}
        value={path.locations}
        several
        onChange={(locations) => put({ locations })}
        {...{ mine: { of: "path", index }, spot, onSpot }}
      />
      <ColorField label="Stroke" usual="#000257" value={path.stroke} onChange={(stroke) => put({ stroke })} />
      <div class="form-grid two">
        <Field
          label="Width"
          type="number"
          unit="px"
          min={0}
          max={64}
          step="any"
          placeholder="3"
          value={path.width}
          onChange={(width) => put({ width })}
        />
        <Field
          label="Border width"
          type="number"
          unit="px"
          min={0}
          max={64}
          step="any"
          placeholder="2"
          value={path.borderWidth}
          onChange={(borderWidth) => put({ borderWidth })}
        />
      </div>
      <ColorField label="Border" usual="#ffffff" value={path.border} onChange={(border) => put({ border })} />
      <Switch
        label="Geodesic"
        hint="Draws the shortest line over the globe between points."
        value={path.geodesic}
        onChange={(geodesic) => put({ geodesic })}
      />
      <Switch
        label="Filled"
        hint="Closes the outline and fills the area."
        value={isArea}
        onChange={(filled) => put({ fill: filled ? FIRST_FILL : "" })}
      />
      {isArea && <ColorField label="Fill" value={path.fill} onChange={(fill) => put({ fill: fill || FIRST_FILL })} />}
      {isArea &&
        path.holes.map((hole, at) => (
          <SpotField
            key={at}
            label={`Hole ${at + 1} of path ${index + 1}`}
            placeholder="One latitude,longitude per line"
            value={hole}
            several
            onChange={(text) => putHole(at, text)}
            {...{ mine: { of: "path", index, hole: at }, spot, onSpot }}
          />
        ))}
      <div class="row">
        {isArea && (
          <Button
            small
            icon={Plus}
            onClick={() => {
              onSpot({ of: "path", index, hole: path.holes.length });
              put({ holes: [...path.holes, ""] });
            }}
          >
            Add a hole
          </Button>
        )}
        {remove}
      </div>
    </>
  );
}
