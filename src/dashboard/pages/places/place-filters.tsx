import { CATEGORY_SLUGS } from "../../../core/places/categories.ts";
import { listOf } from "../../forms/draft.ts";
import { Field } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { SETTINGS_PATH, type Settings, usePlaceSettings } from "./place-settings.ts";

/** Which places users can be at. */
export function PlaceFilters() {
  const { settings, problem, again, changed } = usePlaceSettings();
  if (problem && !settings) return <Failure problem={problem} again={again} />;
  if (!settings) return <SkeletonLines />;
  return <FilterForm filters={settings.placeFilters} changed={changed} />;
}

function FilterForm({ filters, changed }: { filters: Settings["placeFilters"]; changed: (said: string) => void }) {
  const form = useForm({
    saved: { chains: filters.chain.join("\n"), categories: filters.category.join("\n") },
    role: "admin",
    isEdit: true,
    send: (api, { chains, categories }) =>
      api.patch<Settings>(SETTINGS_PATH, {
        placeFilters: { chain: listOf(chains), category: listOf(categories) },
      }),
    onDone: () => changed("Filters saved. They take effect within 10 seconds."),
  });
  const chain = listOf(form.draft.chains);
  const category = listOf(form.draft.categories);
  const unknown = category.find((slug) => !CATEGORY_SLUGS.has(slug));
  return (
    <Form of={form} class="map-panel-body stack">
      <Note>
        {chain.length + category.length === 0
          ? "No filter: all places are matched."
          : "Only places of these chains or categories are matched."}
      </Note>
      <Field label="Chains" lines={4} mono {...form.field("chains", "placeFilters[chain]")} hint="One slug per line." />
      <Field
        label="Categories"
        lines={4}
        mono
        {...form.field("categories", "placeFilters[category]")}
        hint="One slug per line. coffee-shop matches coffee shops, restaurant all kinds of restaurants."
        problem={unknown === undefined ? undefined : `There is no category "${unknown}".`}
      />
      <FormError />
      <div>
        <SaveButton>Save filters</SaveButton>
      </div>
    </Form>
  );
}
