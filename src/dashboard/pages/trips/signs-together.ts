interface Sign {
  name: string;
  location: { latitude: number; longitude: number };
}

/** Names beside one sign; more are counted. */
const MAX_NAMES = 3;

/** Signs at one place as one, with all names or their count: otherwise the last would hide the others. */
export function signsTogether<S extends Sign>(signs: readonly S[]): S[] {
  const places = new Map<string, S[]>();
  for (const sign of signs) {
    const place = `${sign.location.latitude.toFixed(6)},${sign.location.longitude.toFixed(6)}`;
    places.set(place, [...(places.get(place) ?? []), sign]);
  }
  return [...places.values()].map((there) => {
    const names = there.map(({ name }) => name);
    const more = names.length - MAX_NAMES;
    const shown = more > 0 ? [...names.slice(0, MAX_NAMES - 1), `${more + 1} more`] : names;
    return { ...there[0], name: shown.join(", ") };
  });
}
