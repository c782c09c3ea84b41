import { useEffect, useState } from "preact/hooks";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field, FormProblem, Switch } from "../../forms/fields.tsx";
import { bodyOf, type MetadataRow, metadataRows, NEW_FENCE } from "../../map/fences/fence-draft.ts";
import { MapDetail } from "../../map/map-page.tsx";
import { Button } from "../../parts/button.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { useAddress, useRouter } from "../../router.tsx";
import { MetadataFields } from "../geofences/fence-fields.tsx";
import { usePlaceSettings } from "./place-settings.ts";

/** The project's id and metadata of a chain. */
export function ChainEditor({ slug }: { slug: string }) {
  const { to } = useAddress();
  const { go } = useRouter();
  const mayAdmin = useMay("admin");
  const { settings, problem, again, change, save } = usePlaceSettings();
  const [externalId, setExternalId] = useState<string>();
  const [metadata, setMetadata] = useState<MetadataRow[]>();
  const [fault, setFault] = useState<string>();
  const isThere = settings !== undefined;
  // Keep edited fields; only untouched ones follow the settings.
  useEffect(() => {
    if (!settings) return;
    setExternalId((now) => now ?? settings.chainMappings[slug] ?? "");
    setMetadata((now) => now ?? metadataRows(settings.chainMetadata[slug] ?? {}));
  }, [isThere, slug]);
  const close = () => go(`${to("places")}?show=chains`);
  if (!settings || externalId === undefined || metadata === undefined) {
    return (
      <MapDetail title={slug} onClose={close}>
        {problem ? <Failure problem={problem} again={again} /> : <SkeletonLines />}
      </MapDetail>
    );
  }
  const submit = async () => {
    // The rules of metadata are those of geofences; the rest of that draft is sound.
    const draft = { ...NEW_FENCE, description: slug, center: [0, 0] as [number, number], metadata };
    const checked = bodyOf(draft, 0);
    if ("faults" in checked) return setFault(checked.faults.metadata);
    const entries = (checked.body.metadata ?? {}) as Record<string, unknown>;
    const gone = Object.keys(settings.chainMetadata[slug] ?? {}).filter((key) => !Object.hasOwn(entries, key));
    const next = { ...entries, ...Object.fromEntries(gone.map((key) => [key, null])) };
    const patch = {
      chainMappings: { [slug]: externalId.trim() || null },
      chainMetadata: { [slug]: Object.keys(entries).length > 0 ? next : null },
    };
    if (await save(patch, `${slug} saved. Takes effect within 10 seconds.`)) close();
  };
  const isNearby = settings.nearbyChains.includes(slug);
  const setNearby = (on: boolean) => {
    const nearbyChains = on ? [...settings.nearbyChains, slug] : settings.nearbyChains.filter((one) => one !== slug);
    void save(
      { nearbyChains },
      on ? "Users near this chain generate events." : "Users near this chain generate no events.",
    );
  };
  return (
    <MapDetail
      title={slug}
      onClose={close}
      foot={
        <>
          <FormProblem problem={change.problem} fields={[]} />
          <Button main busy={change.busy} disabled={!mayAdmin} why={whyNot("admin")} onClick={() => void submit()}>
            Save
          </Button>
        </>
      }
    >
      <Field
        label="Your id"
        value={externalId}
        onChange={setExternalId}
        hint="Returned as chain.externalId. Searches accept it instead of the slug."
      />
      <h2>Metadata</h2>
      <MetadataFields
        draft={{ ...NEW_FENCE, metadata }}
        edit={(part) => {
          setFault(undefined);
          if (part.metadata) setMetadata(part.metadata);
        }}
        said={() => fault}
      />
      <Switch
        label="Detect users nearby"
        hint="Generates user.nearby_place_chain when a user arrives near the chain"
        value={isNearby}
        disabled={!mayAdmin || change.busy}
        onChange={setNearby}
      />
    </MapDetail>
  );
}
