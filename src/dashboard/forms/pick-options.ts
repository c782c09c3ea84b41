import { useMemo } from "preact/hooks";
import { useQuery } from "../api/hooks.ts";
import { choices } from "../parts/choices.ts";

/** What pickers offer: values of the project, and fixed lists. */

type Options = readonly (readonly [value: string, text: string])[];

const MANY = { limit: 1000 };

const textsOf = (values: readonly (string | undefined)[]): Options =>
  [...new Set(values.filter((value) => value !== undefined))].sort().map((value) => [value, value] as const);

/** Tags of the geofences or beacons. */
export function useTags(of: "geofences" | "beacons"): Options {
  const { data } = useQuery<Record<string, { tag?: string }[]>>(`/v1/${of}`, MANY);
  return useMemo(() => textsOf((data?.[of] ?? []).map(({ tag }) => tag)), [data, of]);
}

/** Computed segments by their external ids. */
export function useSegments(): Options {
  const { data } = useQuery<{ segments: { externalId: string; description: string }[] }>("/v1/segments", MANY);
  return useMemo(() => (data?.segments ?? []).map(({ externalId }) => [externalId, externalId] as const), [data]);
}

/** Geofences by their _id. */
export function useFenceNames(isAsked: boolean): Options {
  const { data } = useQuery<{ geofences: { _id: string; description: string }[] }>(
    isAsked ? "/v1/geofences" : undefined,
    MANY,
  );
  return useMemo(() => (data?.geofences ?? []).map(({ _id, description }) => [_id, description] as const), [data]);
}

/** Ids of the geofences by which people know them, and of the users that were updated last. */
export function useIds(): Record<"fences" | "users", readonly string[]> {
  const fences = useQuery<{ geofences: { _id: string; tag?: string; externalId?: string }[] }>("/v1/geofences", MANY);
  const users = useQuery<{ users: { userId?: string; deviceId: string }[] }>("/v1/users", { limit: 100 });
  return useMemo(
    () => ({
      fences: (fences.data?.geofences ?? []).map(({ _id, tag, externalId }) =>
        tag && externalId ? `${tag}/${externalId}` : _id,
      ),
      users: (users.data?.users ?? []).map(({ userId, deviceId }) => userId ?? deviceId),
    }),
    [fences.data, users.data],
  );
}

const A = "A".charCodeAt(0);
let known: Options | undefined;

/** Countries by their code. The browser names them: what it does not know is none. */
export function countryOptions(): Options {
  if (known) return known;
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(A + i));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  known = codes
    // User-assigned codes and groups of countries have names, too.
    .filter((code) => !/^(AA|Q[M-Z]|X[A-Z]|ZZ|EU|EZ|UN)$/.test(code) || code === "XK")
    .flatMap((code) => {
      const name = names.of(code);
      return name ? [[code, `${name} (${code})`] as const] : [];
    });
  return known;
}

export const LAYERS = choices({
  place: "Places",
  address: "Addresses",
  postalCode: "Postal codes",
  locality: "Cities",
  county: "Counties",
  state: "States",
  country: "Countries",
});

/** Time zones by their names, the viewer's first. */
export function timeZoneOptions(): Options {
  const own = viewerZone();
  const all = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own);
  return [own, ...all].map((zone) => [zone, zone.replaceAll("_", " ")] as const);
}

export const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
