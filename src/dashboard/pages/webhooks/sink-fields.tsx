import { BUCKET_SECONDS, isEngagementType, type SinkType, WITH_URL } from "../../../core/webhooks/sink-settings.ts";
import { Field, Select } from "../../forms/fields.tsx";
import { choices } from "../../parts/choices.ts";

/** Settings as they are typed; headers one per line, "name: value". Empty: not there. */
export type TypedSettings = Partial<Record<string, string>>;

interface SinkField {
  label: string;
  hint?: string;
  placeholder?: string;
  lines?: number;
  secret?: boolean;
  mono?: boolean;
}

export const TYPE_NAMES: Record<SinkType, string> = {
  webhook: "Webhook",
  kafka: "Kafka",
  mqtt: "MQTT",
  bucket: "Bucket",
  queue: "Queue",
  braze: "Braze",
  iterable: "Iterable",
  customerio: "Customer.io",
  segment: "Segment",
};

/** Display name of a webhook: its destination. */
export function nameOf({ type, url }: { type: SinkType; url: string }): string {
  if (isEngagementType(type)) return TYPE_NAMES[type];
  if (url) return new URL(url).host;
  return type === "queue" ? "The deployment's queue" : "The deployment's bucket";
}

const TYPES = choices<SinkType>({
  ...TYPE_NAMES,
  webhook: "Webhook: a server, Slack, email",
  kafka: "Kafka, through its REST proxy",
  mqtt: "MQTT, over WebSocket",
  bucket: "Bucket: one line per event",
  queue: "Cloudflare Queue of this deployment",
});

const HEADERS: SinkField = {
  label: "Headers",
  hint: "One per line, as name: value. Values are not shown again.",
  placeholder: "authorization: Bearer …",
  lines: 2,
  mono: true,
};

const ASKED: Record<SinkType, Record<string, SinkField>> = {
  webhook: {
    template: {
      label: "Template",
      hint: "Custom body to send instead of the event, with placeholders such as {{event.type}} and {{user.userId|A device}}.",
      placeholder: '{"text": "{{user.userId|A device}}: {{event.type}}"}',
      lines: 3,
      mono: true,
    },
    contentType: { label: "Media type of the template", placeholder: "application/json" },
    headers: HEADERS,
  },
  kafka: {
    topic: { label: "Topic" },
    clusterId: { label: "Cluster", hint: "If set, version 3 of the proxy's API is used, otherwise version 2." },
    headers: HEADERS,
  },
  mqtt: {
    topic: { label: "Topic", placeholder: "sites/{{event.type}}/{{user.deviceId}}", mono: true },
    username: { label: "User name" },
    password: { label: "Password", hint: "Not shown again.", secret: true },
  },
  bucket: {
    prefix: { label: "Prefix", hint: "Prefix of the object names." },
    seconds: { label: "Seconds per object", placeholder: String(BUCKET_SECONDS) },
    accessKeyId: { label: "Access key id" },
    secretAccessKey: { label: "Secret access key", hint: "Not shown again.", secret: true },
    region: { label: "Region", placeholder: "auto" },
  },
  queue: {},
  braze: { apiKey: { label: "REST API key", hint: "With the permission users.track. Not shown again.", secret: true } },
  iterable: { apiKey: { label: "Server-side API key", hint: "Not shown again.", secret: true } },
  customerio: {
    siteId: { label: "Site ID" },
    apiKey: { label: "Track API key", hint: "Not shown again.", secret: true },
  },
  segment: { apiKey: { label: "Write key", hint: "Of an HTTP API source. Not shown again.", secret: true } },
};

const ADDRESSES: Record<SinkType, { placeholder: string; hint: string } | undefined> = {
  webhook: {
    placeholder: "https://example.com/graticule",
    hint: "A public https URL. It must return 2xx within 15 seconds.",
  },
  kafka: { placeholder: "https://kafka-rest.example.com", hint: "A public https URL." },
  mqtt: { placeholder: "wss://broker.example.com/mqtt", hint: "A public wss URL." },
  bucket: {
    placeholder: "https://account.r2.cloudflarestorage.com/bucket",
    hint: "An S3-compatible bucket. Empty: this deployment's bucket, under sinks/.",
  },
  queue: undefined,
  braze: { placeholder: "https://rest.iad-01.braze.com", hint: "The REST endpoint of your Braze instance." },
  iterable: { placeholder: "https://api.iterable.com", hint: "Europe: https://api.eu.iterable.com" },
  customerio: { placeholder: "https://track.customer.io", hint: "Europe: https://track-eu.customer.io" },
  segment: { placeholder: "https://api.segment.io", hint: "Europe: https://events.eu1.segmentapis.com" },
};

export function TypeField({ type, onChange }: { type: SinkType; onChange: (type: SinkType) => void }) {
  return <Select label="Type" param="type" value={type} onChange={onChange} options={TYPES} />;
}

interface AddressFieldProps {
  type: SinkType;
  url: string;
  onChange: (url: string) => void;
}

export function AddressField({ type, url, onChange }: AddressFieldProps) {
  const address = ADDRESSES[type];
  if (!address) return null;
  return (
    <Field
      label="URL"
      type="url"
      value={url}
      onChange={onChange}
      {...address}
      param="url"
      required={WITH_URL.includes(type)}
    />
  );
}

interface SettingsFieldsProps {
  type: SinkType;
  settings: TypedSettings;
  onChange: (settings: TypedSettings) => void;
  kept?: readonly string[];
}

/** @param kept names of secret settings that are there and stay, if nothing is typed */
export function SettingsFields({ type, settings, onChange, kept = [] }: SettingsFieldsProps) {
  return (
    <>
      {Object.entries(ASKED[type]).map(([name, { secret, hint, placeholder, ...asked }]) => {
        const isKept = kept.some((one) => one === name || one.startsWith(`${name}.`));
        return (
          <Field
            key={name}
            {...asked}
            hint={hint}
            type={secret ? "password" : "text"}
            placeholder={isKept ? "Unchanged" : placeholder}
            value={settings[name] ?? ""}
            onChange={(value) => onChange({ ...settings, [name]: value })}
            param={`settings[${name}]`}
          />
        );
      })}
    </>
  );
}

/** Converts the input to API format; null removes a saved value that is no longer set. */
export function settingsIn(
  type: SinkType,
  typed: TypedSettings,
  saved: TypedSettings = {},
): Record<string, unknown> | undefined {
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(ASKED[type])) {
    const text = typed[name]?.trim() ?? "";
    if (text === (saved[name] ?? "")) continue;
    if (text === "") settings[name] = null;
    else if (name === "headers") settings[name] = headersIn(text);
    else settings[name] = name === "seconds" ? Number(text) : typed[name];
  }
  return Object.keys(settings).length > 0 ? settings : undefined;
}

function headersIn(text: string): Record<string, string> {
  const pairs = text.split("\n").flatMap((line) => {
    const colon = line.indexOf(":");
    return line.trim() === "" ? [] : [[line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}
