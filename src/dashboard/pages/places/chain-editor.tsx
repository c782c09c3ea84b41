import { useChange } from "../../api/hooks.ts";
import { useMay } from "../../api/session-context.ts";
import { useAddress, useRouter } from "../../base/router.tsx";
import { Field, Switch } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { bodyOf, metadataRows, NEW_FENCE } from "../../map/fences/fence-draft.ts";
import { MapDetail, WaitingDetail } from "../../map/map-page.tsx";
import { MetadataFields } from "../geofences/fence-fields.tsx";
import { SETTINGS_PATH, type Settings, usePlaceSettings } from "./place-settings.ts";

/** The project's id and metadata of a chain. */
export function ChainEditor({ slug }: { slug: string }) {
  const { to } = useAddress();
  const { go } = useRouter();
  const { settings, problem, again, changed } = usePlaceSettings();
  const close = () => go(`${to("places")}?show=chains`);
  if (!settings) {
    return <WaitingDetail title={slug} problem={problem} again={again} onClose={close} />;
  }
  return <ChainForm key={slug} slug={slug} settings={settings} changed={changed} onClose={close} />;
}

interface ChainFormProps {
  slug: string;
  settings: Settings;
  changed: (said: string) => void;
  onClose: () => void;
}

function ChainForm({ slug, settings, changed, onClose }: ChainFormProps) {
  const form = useForm({
    saved: {
      externalId: settings.chainMappings[slug] ?? "",
      metadata: metadataRows(settings.chainMetadata[slug] ?? {}),
    },
    role: "admin",
    send: (api, { externalId, metadata }) => {
      // The rules of metadata are those of geofences; the rest of that draft is valid.
      const checked = bodyOf({ ...NEW_FENCE, description: slug, center: [0, 0], metadata }, 0);
      if ("faults" in checked) return { faults: { metadata: checked.faults.metadata } };
      const entries = (checked.body.metadata ?? {}) as Record<string, unknown>;
      const gone = Object.keys(settings.chainMetadata[slug] ?? {}).filter((key) => !Object.hasOwn(entries, key));
      const next = { ...entries, ...Object.fromEntries(gone.map((key) => [key, null])) };
      return api.patch<Settings>(SETTINGS_PATH, {
        chainMappings: { [slug]: externalId.trim() || null },
        chainMetadata: { [slug]: Object.keys(entries).length > 0 ? next : null },
      });
    },
    onDone: () => {
      changed(`${slug} saved. Takes effect within 10 seconds.`);
      onClose();
    },
  });
  return (
    <Form of={form} class="map-form">
      <MapDetail
        title={slug}
        onClose={onClose}
        foot={
          <>
            <FormError />
            <SaveButton>Save</SaveButton>
          </>
        }
      >
        <Field
          label="Your id"
          {...form.field("externalId", `chainMappings[${slug}]`)}
          hint="Returned as chain.externalId. Searches accept it instead of the slug."
        />
        <h2>Metadata</h2>
        <MetadataFields
          rows={form.draft.metadata}
          param={["metadata", `chainMetadata[${slug}]`]}
          onChange={(metadata) => form.set({ metadata })}
        />
        <Nearby slug={slug} settings={settings} changed={changed} />
      </MapDetail>
    </Form>
  );
}

interface NearbyProps {
  slug: string;
  settings: Settings;
  changed: (said: string) => void;
}

/** Saved immediately, not with the form. */
function Nearby({ slug, settings: { nearbyChains }, changed }: NearbyProps) {
  const mayAdmin = useMay("admin");
  const change = useChange((api, next: string[]) => api.patch<Settings>(SETTINGS_PATH, { nearbyChains: next }));
  const set = async (on: boolean) => {
    const result = await change.run(on ? [...nearbyChains, slug] : nearbyChains.filter((one) => one !== slug));
    if (!result.ok) return;
    changed(on ? "Users near this chain generate events." : "Users near this chain generate no events.");
  };
  return (
    <Switch
      label="Detect users nearby"
      hint="A user who arrives near the chain generates an event."
      value={nearbyChains.includes(slug)}
      disabled={!mayAdmin || change.busy}
      problem={change.problem?.message}
      onChange={(on) => void set(on)}
    />
  );
}
