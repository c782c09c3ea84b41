import { CAMPAIGN_TYPES } from "../../../core/engagement/campaign.ts";
import { EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { Field, Select, Switch } from "../../forms/fields.tsx";
import { PickField } from "../../forms/pick-field.tsx";
import { timeZoneOptions, useTags } from "../../forms/pick-options.ts";
import { RecordDrawer, type RecordDrawerProps, type RecordKind } from "../../forms/record-drawer.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { Note } from "../../parts/states.tsx";
import { typeWords } from "../../parts/values/type-words.ts";
import { bodyOf, type Campaign, type Draft, draftOf, EMPTY, TYPE_WORDS } from "./campaign-draft.ts";
import { Results } from "./campaign-results.tsx";
import { Previews } from "./preview.tsx";

const CAMPAIGNS: RecordKind<Campaign, Draft> = {
  noun: "campaign",
  path: "/v1/campaigns",
  nameOf: ({ name }) => name,
  create: "Create",
  draftOf,
  newDraft: EMPTY,
  save: (api, draft, path, campaign) => {
    const body = bodyOf(draft, campaign);
    return path ? api.patch(path, body) : api.post("/v1/campaigns", body);
  },
  removes: "Its statistics are deleted with it.",
};

export function CampaignDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer {...props} of={CAMPAIGNS} head={(campaign, path) => <Results campaign={campaign} path={path} />}>
      {(form, campaign) => <CampaignFields {...form} campaign={campaign} />}
    </RecordDrawer>
  );
}

function CampaignFields({ draft, field, campaign }: DraftForm<Draft> & { campaign: Campaign | undefined }) {
  const [fenceTags, beaconTags] = [useTags("geofences"), useTags("beacons")];
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
      <PickField
        label="Geofence tags"
        placeholder="All geofences"
        options={fenceTags}
        {...field("geofenceTags", "trigger.geofenceTags")}
      />
      {(draft.type === "geofenceNotification" || /_beacon$/.test(draft.event)) && (
        <PickField
          label="Beacon tags"
          placeholder={draft.type === "geofenceNotification" ? "None" : "All beacons"}
          hint={
            draft.type === "geofenceNotification"
              ? "Instead of geofence tags; then without messages per user"
              : undefined
          }
          options={beaconTags}
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
      <LimitFields field={field} />
      <ScheduleFields field={field} />
      <Switch label="Enabled" hint="A disabled campaign sends nothing." {...field("enabled")} />
    </>
  );
}

function LimitFields({ field }: Pick<DraftForm<Draft>, "field">) {
  const ofUser = field("perUser", "limits.perUser");
  const pause = field("cooldownMinutes", "limits.cooldownMinutes");
  return (
    <div class="form-grid">
      <Field label="Messages per user" type="number" min={1} placeholder="unlimited" {...ofUser} />
      <Field label="Pause between messages" unit="minutes" type="number" min={0} {...pause} />
    </div>
  );
}

function ScheduleFields({ field }: Pick<DraftForm<Draft>, "field">) {
  return (
    <>
      <div class="form-grid">
        <Field label="Starts" type="datetime-local" hint="" {...field("startsAt", "schedule.startsAt")} />
        <Field label="Ends" type="datetime-local" hint="" {...field("endsAt", "schedule.endsAt")} />
      </div>
      <Select
        label="Time zone of the schedule"
        {...field("timeZone", "schedule.timeZone")}
        options={[["", "Each user's own"], ...timeZoneOptions()]}
      />
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
