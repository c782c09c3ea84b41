import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { CAMPAIGN_TYPES } from "../../../core/engagement/campaign.ts";
import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import type { getCampaign } from "../../../worker/http/campaigns/campaigns.ts";
import type { Answer, Result } from "../../api/client.ts";
import { useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { type DraftForm, useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { typeWords } from "../events/event-words.ts";
import { bodyOf, type Campaign, type Draft, draftOf, EMPTY, TYPE_WORDS } from "./campaign-draft.ts";
import { Results } from "./campaign-results.tsx";
import { Previews } from "./preview.tsx";

/** A campaign by its id; without one, a new one. */
export function CampaignDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const path = id && `/v1/campaigns/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getCampaign>>(path);
  const campaign = found.data?.campaign;
  return (
    <Drawer title={id ? (campaign?.name ?? "Campaign") : "Create a campaign"} onClose={onClose}>
      {found.problem && <Failure problem={found.problem} again={found.again} />}
      {id && !campaign && !found.problem && <SkeletonLines lines={8} />}
      {campaign && path && <Results campaign={campaign} path={path} />}
      {(campaign || !id) && (
        <CampaignForm key={campaign?.updatedAt ?? "new"} path={path} campaign={campaign} onClose={onClose} />
      )}
    </Drawer>
  );
}

function CampaignForm({
  path,
  campaign,
  onClose,
}: {
  path: string | undefined;
  campaign: Campaign | undefined;
  onClose: () => void;
}) {
  const mayWrite = useMay("write");
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  const form = useForm<Draft, unknown>({
    saved: campaign ? draftOf(campaign) : EMPTY,
    role: "write",
    isEdit: true,
    send: (api, draft): Promise<Result<unknown>> => {
      const body = bodyOf(draft, campaign);
      return path ? api.patch(path, body) : api.post("/v1/campaigns", body);
    },
    onDone: () => {
      forget("/v1/campaigns");
      toast(path ? "Saved" : "Campaign created");
      if (!path) onClose();
    },
  });
  return (
    <>
      <Form of={form}>
        <CampaignFields {...form} campaign={campaign} />
        <FormError />
        <footer class="row ends wrap">
          {path ? (
            <Button danger icon={Trash2} disabled={!mayWrite} why={whyNot("write")} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <SaveButton>{path ? "Save" : "Create"}</SaveButton>
        </footer>
      </Form>
      {path && deleting && (
        <Confirm
          title={`Delete ${campaign?.name}?`}
          action="Delete"
          name={campaign?.name ?? ""}
          send={(api) => api.delete(path)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            forget("/v1/campaigns");
            toast(`${campaign?.name} deleted`);
            onClose();
          }}
        >
          Its statistics are deleted with it.
        </Confirm>
      )}
    </>
  );
}

function CampaignFields({ draft, field, campaign }: DraftForm<Draft> & { campaign: Campaign | undefined }) {
  return (
    <>
      <Field label="Name" {...field("name")} />
      {!campaign && (
        <Select
          label="Type"
          {...field("type")}
          options={CAMPAIGN_TYPES.map((type) => [type, TYPE_WORDS[type]] as const)}
        />
      )}
      {draft.type !== "geofenceNotification" && (
        <Select
          label="Event"
          {...field("event", "trigger.event")}
          options={EVENT_TYPES.map((type) => [type, typeWords(type)] as const)}
        />
      )}
      <Field
        label="Geofence tags"
        hint="Comma-separated; empty: all geofences"
        {...field("geofenceTags", "trigger.geofenceTags")}
      />
      {(draft.type === "geofenceNotification" || /_beacon$/.test(draft.event)) && (
        <Field
          label="Beacon tags"
          hint={
            draft.type === "geofenceNotification"
              ? "Comma-separated, instead of geofence tags; then without messages per user"
              : "Comma-separated; empty: all beacons"
          }
          {...field("beaconTags", "trigger.beaconTags")}
        />
      )}
      {campaign?.variants ? (
        <Variants campaign={campaign} variants={campaign.variants} />
      ) : (
        <>
          <ContentFields draft={draft} field={field} />
          <Previews draft={draft} />
        </>
      )}
      <div class="form-grid">
        <Field label="Messages per user" hint="Empty: unlimited" {...field("perUser", "limits.perUser")} />
        <Field label="Minutes between two" {...field("cooldownMinutes", "limits.cooldownMinutes")} />
      </div>
      <div class="form-grid">
        <Field label="Starts" hint="2026-12-24T08:00, the user's time" {...field("startsAt", "schedule.startsAt")} />
        <Field label="Ends" {...field("endsAt", "schedule.endsAt")} />
      </div>
      <Switch label="Enabled" hint="A disabled campaign sends nothing." {...field("enabled")} />
    </>
  );
}

/** The messages of an A/B test: the form does not change them, because each has its own statistics. */
function Variants({ campaign, variants }: { campaign: Campaign; variants: NonNullable<Campaign["variants"]> }) {
  return (
    <>
      <Note>Variants are changed with PATCH /v1/campaigns/{campaign._id}.</Note>
      {variants.map(({ content }, i) => (
        <section key={i} class="stack tight">
          <h3>Variant {String.fromCharCode(65 + i)}</h3>
          <Previews draft={draftOf({ ...campaign, content } as Campaign)} />
        </section>
      ))}
    </>
  );
}

function ContentFields({ draft, field }: Pick<DraftForm<Draft>, "draft" | "field">) {
  const isMessage = draft.type === "inAppMessage";
  return (
    <>
      <Field label="Title" {...field("title", isMessage ? "content.title" : "content.title")} />
      <Field label="Text" lines={3} {...field("text", isMessage ? "content.body" : "content.text")} />
      <div class="form-grid">
        {isMessage && <Field label="Button" {...field("button", "content.button")} />}
        <Field
          label="Link"
          hint="Such as myapp://offers"
          {...field("link", isMessage ? "content.button.deepLink" : "content.url")}
        />
      </div>
      {isMessage && <Field label="Image" hint="https URL" {...field("image", "content.image.url")} />}
    </>
  );
}
