import { STYLE_NAMES } from "../../../core/maps/style/palettes.ts";
import type { listMapStyles } from "../../../worker/http/maps/static-map-uploads.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { TextFileField } from "../../forms/text-file-field.tsx";
import { fieldOf } from "../../forms/use-form.ts";
import { choices, sameWords } from "../../parts/choices.ts";
import type { Draft } from "./draft.ts";
import type { PartProps } from "./part-props.ts";

const LANGUAGES = ["de", "en", "fr", "es", "it", "pt", "ru", "el", "ar", "he", "fa", "hi", "th", "ja", "ko", "zh"];

const FORMATS = choices({ png: "PNG", webp: "WebP: smallest", jpeg: "JPEG", svg: "SVG" });
const ATTRIBUTIONS = choices({ auto: "automatic", long: "long", short: "short", false: "none: shown separately" });

/** Style, language, format, words, and GeoJSON over it all. */
export function LookFields({ draft, onChange, problemOf }: PartProps) {
  const put = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });
  const field = fieldOf(draft, put);
  const checked = <Name extends keyof Draft>(name: Name) => ({ ...field(name), problem: problemOf(name) });
  const styles = useQuery<Answer<typeof listMapStyles>>("/v1/maps/styles");
  // Layers below which paths can be drawn.
  const style = useQuery<{ layers?: { id: string }[] }>(`/maps/styles/${encodeURIComponent(draft.style)}`);
  const layers = layersOf(style.data?.layers, draft.beforeLayer);
  const own = styles.data?.styles.map(({ _id }) => _id) ?? [];
  const known = [...STYLE_NAMES, ...own];
  const all = known.includes(draft.style) ? known : [...known, draft.style];
  return (
    <fieldset class="static-part stack">
      <legend>Look</legend>
      <div class="form-grid two">
        <Select
          label="Style"
          options={sameWords(all)}
          {...checked("style")}
          onChange={(chosen) => put({ style: chosen, beforeLayer: "" })}
        />
        <Field label="Language" placeholder="local names" list={LANGUAGES} {...checked("language")} />
        <Select label="Format" options={FORMATS} {...field("format")} />
        <Select label="Attribution" options={ATTRIBUTIONS} {...checked("attribution")} />
      </div>
      {draft.attribution === "false" && (
        <p class="hint">
          Requires a secret key or a signed URL. Show the text of the x-graticule-attribution header next to the image.
        </p>
      )}
      <Switch
        label="Transit below zoom 12"
        hint="Draws railways and lines of public transport at zooms 9 to 12 too. Built-in styles only."
        {...field("transit")}
      />
      <Switch
        label="Say where no streets are imported"
        hint="A line in the corner from zoom 12 on, where the map ends with the world's."
        {...field("streetsNote")}
      />
      <Select
        label="Draw paths below"
        options={[["", "empty: draw above the map"], ...sameWords(layers)]}
        hint="A layer of the style. Labels and markers stay on top."
        problem={problemOf("before_layer")}
        {...field("beforeLayer")}
      />
      <TextFileField
        label="GeoJSON"
        hint="Styled by its simplestyle properties: marker-color, marker-symbol, stroke, fill …"
        {...checked("geojson")}
      />
    </fieldset>
  );
}

function layersOf(layers: { id: string }[] = [], chosen: string): string[] {
  const ids = layers.map(({ id }) => id);
  return chosen === "" || ids.includes(chosen) ? ids : [...ids, chosen];
}
