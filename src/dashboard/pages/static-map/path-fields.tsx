import { Plus } from "lucide";
import { ColorField } from "../../forms/color-field.tsx";
import { Field, Switch } from "../../forms/fields.tsx";
import { fieldOf } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { type Draft, NEW_PATH } from "./draft.ts";
import { type ItemProps, Items } from "./items.tsx";
import type { PartProps } from "./part-props.ts";
import { SpotField } from "./spot-field.tsx";

type Path = Draft["paths"][number];

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
}: ItemProps<Path> & Pick<PartProps, "spot" | "onSpot" | "problemOf">) {
  const field = fieldOf(path, put);
  const isArea = path.fill !== "";
  return (
    <>
      <SpotField
        label={name}
        placeholder="One latitude,longitude or enc:… per line"
        problem={problemOf("path")}
        several
        {...field("locations")}
        {...{ mine: { of: "path", index }, spot, onSpot }}
      />
      <ColorField label="Stroke" usual="#000257" {...field("stroke")} />
      <div class="form-grid two">
        <Field label="Width" placeholder="3" {...WIDTH} {...field("width")} />
        <Field label="Border width" placeholder="2" {...WIDTH} {...field("borderWidth")} />
      </div>
      <ColorField label="Border" usual="#ffffff" {...field("border")} />
      <Switch label="Geodesic" hint="Draws the shortest line over the globe between points." {...field("geodesic")} />
      <Switch
        label="Filled"
        hint="Closes the outline and fills the area."
        value={isArea}
        onChange={(filled) => put({ fill: filled ? FIRST_FILL : "" })}
      />
      {isArea && <ColorField label="Fill" value={path.fill} onChange={(fill) => put({ fill: fill || FIRST_FILL })} />}
      {isArea && <Holes {...{ path, index, put, spot, onSpot }} />}
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

const WIDTH = { type: "number", unit: "px", min: 0, max: 64, step: "any" } as const;

interface HolesProps extends Pick<PartProps, "spot" | "onSpot">, Pick<ItemProps<Path>, "index" | "put"> {
  path: Path;
}

function Holes({ path: { holes }, index, put, spot, onSpot }: HolesProps) {
  return holes.map((hole, at) => (
    <SpotField
      key={at}
      label={`Hole ${at + 1} of path ${index + 1}`}
      placeholder="One latitude,longitude per line"
      value={hole}
      several
      onChange={(text) => put({ holes: holes.map((one, i) => (i === at ? text : one)) })}
      {...{ mine: { of: "path", index, hole: at }, spot, onSpot }}
    />
  ));
}
