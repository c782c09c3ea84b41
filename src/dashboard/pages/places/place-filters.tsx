import { useEffect, useState } from "preact/hooks";
import { CATEGORY_SLUGS } from "../../../places/categories.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field, FormProblem } from "../../forms/fields.tsx";
import { linesOf } from "../../map/fences/fence-draft.ts";
import { Button } from "../../parts/button.tsx";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { usePlaceSettings } from "./place-settings.ts";

/** At which places users are ever said to be. */
export function PlaceFilters() {
  const mayAdmin = useMay("admin");
  const { settings, problem, again, change, save } = usePlaceSettings();
  const [chains, setChains] = useState<string>();
  const [categories, setCategories] = useState<string>();
  const isThere = settings !== undefined;
  useEffect(() => {
    if (!settings) return;
    setChains((now) => now ?? settings.placeFilters.chain.join("\n"));
    setCategories((now) => now ?? settings.placeFilters.category.join("\n"));
  }, [isThere]);
  if (problem && !settings) return <Failure problem={problem} again={again} />;
  if (chains === undefined || categories === undefined) return <SkeletonLines />;
  const chain = linesOf(chains) ?? [];
  const category = linesOf(categories) ?? [];
  const unknown = category.find((slug) => !CATEGORY_SLUGS.has(slug));
  return (
    <form
      class="map-panel-body stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save({ placeFilters: { chain, category } }, "Filters saved. They take effect within 10 seconds.");
      }}
    >
      <Note>
        {chain.length + category.length === 0
          ? "No filter: all places are matched."
          : "Only places of these chains or categories are matched."}
      </Note>
      <Field label="Chains" lines={4} mono value={chains} onChange={setChains} hint="One slug per line." />
      <Field
        label="Categories"
        lines={4}
        mono
        value={categories}
        onChange={setCategories}
        hint="One slug per line. coffee-shop matches coffee shops, restaurant all kinds of restaurants."
        problem={unknown === undefined ? undefined : `There is no category "${unknown}".`}
      />
      <FormProblem problem={change.problem} fields={[]} />
      <div>
        <Button type="submit" main busy={change.busy} disabled={!mayAdmin} why={whyNot("admin")}>
          Save filters
        </Button>
      </div>
    </form>
  );
}
