import { STYLE_NAMES } from "../../../core/maps/style/palettes.ts";
import type { listMapStyles } from "../../../worker/http/maps/static-map-uploads.ts";
import type { Answer } from "../../api/client.ts";
import { useQuery } from "../../api/hooks.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { TextFileField } from "../../forms/text-file-field.tsx";
import type { Draft } from "./draft.ts";
import type { PartProps } from "./part-props.ts";

const LANGUAGES = ["de", "en", "fr", "es", "it", "pt", "ru", "el", "ar", "he", "fa", "hi", "th", "ja", "ko", "zh"];

/** Style, language, format, words, and GeoJSON over it all. */
export function LookFields({ draft, onChange, problemOf }: PartProps) {
  const put = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });
  const styles = useQuery<Answer<typeof listMapStyles>>("/v1/maps/styles");
  // Layers below which paths can be drawn.
  const style = useQuery<{ layers?: { id: string }[] }>(`/maps/styles/${encodeURIComponent(draft.style)}`);
  const own = styles.data?.styles.map(({ _id }) => _id) ?? [];
  const known = [...STYLE_NAMES, ...own];
  const all = known.includes(draft.style) ? known : [...known, draft.style];
  return (
    <fieldset class="static-part stack">
      <legend>Look</legend>
      <div class="form-grid two">
        <Select
          label="Style"
          options={all.map((one) => [one, one] as const)}
          problem={problemOf("style")}
          value={draft.style}
          onChange={(chosen) => put({ style: chosen, beforeLayer: "" })}
        />
        <Field
          label="Language"
          placeholder="local names"
          list={LANGUAGES}
          problem={problemOf("language")}
          value={draft.language}
          onChange={(language) => put({ language })}
        />
        <Select
          label="Format"
          options={[
            ["png", "PNG"],
            ["webp", "WebP: smallest"],
            ["jpeg", "JPEG"],
            ["svg", "SVG"],
          ]}
          value={draft.format}
          onChange={(format) => put({ format })}
        />
        <Select
          label="Attribution"
          options={[
            ["auto", "automatic"],
            ["long", "long"],
            ["short", "short"],
            ["false", "none: shown separately"],
          ]}
          problem={problemOf("attribution")}
          value={draft.attribution}
          onChange={(attribution) => put({ attribution })}
        />
      </div>
      {draft.attribution === "false" && (
        <p class="hint">
          Requires a secret key or a signed URL. Show the text of the x-graticule-attribution header next to the image.
        </p>
      )}
      <Switch
        label="Transit below zoom 12"
        hint="Draws railways and lines of public transport at zooms 9 to 12 too. Built-in styles only."
        value={draft.transit}
        onChange={(transit) => put({ transit })}
      />
      <Select
        label="Draw paths below"
        options={[
          ["", "empty: draw above the map"],
          ...layersOf(style.data?.layers, draft.beforeLayer).map((id) => [id, id] as const),
        ]}
        hint="A layer of the style. Labels and markers stay on top."
        problem={problemOf("before_layer")}
        value={draft.beforeLayer}
        onChange={(beforeLayer) => put({ beforeLayer })}
      />
      <TextFileField
        label="GeoJSON"
        hint="Styled by its simplestyle properties: marker-color, marker-symbol, stroke, fill …"
        problem={problemOf("geojson")}
        value={draft.geojson}
        onChange={(geojson) => put({ geojson })}
      />
    </fieldset>
  );
}

function layersOf(layers: { id: string }[] = [], chosen: string): string[] {
  const ids = layers.map(({ id }) => id);
  return chosen === "" || ids.includes(chosen) ? ids : [...ids, chosen];
}
