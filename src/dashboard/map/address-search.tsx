import { Search } from "lucide";
import { useEffect, useId, useState } from "preact/hooks";
import type { autocomplete } from "../../worker/http/geocode/autocomplete.ts";
import { type Answer, useApi } from "../api/hooks.ts";
import { Icon } from "../parts/icon.tsx";
import { useShownMap } from "./map-view.tsx";
import "../forms/filters.css";
import "./address-search.css";

type FoundAddress = Answer<typeof autocomplete>["addresses"][number];

const PAUSE_MS = 200;

/** The addresses of a typed text, requested after a pause in typing, and what to say of them. */
function useFoundAddresses(typed: string, near: string | undefined) {
  const api = useApi();
  const [found, setFound] = useState<readonly FoundAddress[]>([]);
  const [said, setSaid] = useState("");
  useEffect(() => {
    let isOutdated = false;
    if (typed.trim().length < 2) {
      setFound([]);
      setSaid("");
      return;
    }
    const timer = setTimeout(async () => {
      const query = { query: typed, limit: 6, near };
      const result = await api.get<{ addresses: FoundAddress[] }>("/v1/search/autocomplete", query);
      if (isOutdated) return;
      setFound(result.ok ? result.data.addresses : []);
      if (!result.ok) setSaid(result.problem.message);
      else setSaid(result.data.addresses.length === 0 ? "No results" : "");
    }, PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [typed, near, api]);
  return { found: typed === "" ? NONE : found, said };
}

const NONE: readonly FoundAddress[] = [];

/** Looks for an address while it is typed (`/v1/search/autocomplete`); a combobox by the rules of ARIA 1.2. */
function AddressSearch({ onPick, near }: { onPick: (found: FoundAddress) => void; near?: string }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(-1);
  const { found, said } = useFoundAddresses(typed, near);
  useEffect(() => setActive(-1), [found]);
  const pick = (address: FoundAddress) => {
    setTyped("");
    onPick(address);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((now) => (now + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter" && found.length > 0) {
      event.preventDefault();
      pick(found[Math.max(0, active)]);
    } else if (event.key === "Escape" && typed !== "") {
      event.stopPropagation();
      setTyped("");
    }
  };
  return (
    <div class="address-search">
      <span class="search">
        <Icon of={Search} />
        <input
          type="text"
          role="combobox"
          aria-label="Search an address"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          placeholder="Search an address"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </span>
      <Options id={id} found={found} active={active} onPick={pick} />
      {said && (
        <p class="hint" role="status">
          {said}
        </p>
      )}
    </div>
  );
}

interface OptionsProps {
  id: string;
  found: readonly FoundAddress[];
  active: number;
  onPick: (address: FoundAddress) => void;
}

function Options({ id, found, active, onPick }: OptionsProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Addresses" hidden={found.length === 0}>
      {found.map((address, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <div
          key={`${address.latitude} ${address.longitude} ${address.formattedAddress}`}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          onClick={() => onPick(address)}
        >
          <span class="cut">{address.formattedAddress || address.addressLabel}</span>
          <span class="muted small">{address.layer}</span>
        </div>
      ))}
    </div>
  );
}

/** How near to look at what was found: a country from afar, a house from its street. */
const ZOOMS: Record<string, number> = {
  country: 4,
  state: 6,
  county: 9,
  locality: 12,
  postalCode: 13,
  neighborhood: 14,
};

/** The search, floating over a map, which goes where something was found. */
export function MapSearch({ onPick }: { onPick?: (found: FoundAddress) => void }) {
  const shown = useShownMap();
  const { lat, lng } = shown?.map.getCenter().wrap() ?? {};
  const near = lat === undefined || lng === undefined ? undefined : `${lat.toFixed(3)},${lng.toFixed(3)}`;
  return (
    <div class="map-float map-search">
      <AddressSearch
        near={near}
        onPick={(found) => {
          const { latitude, longitude, layer } = found;
          shown?.map.easeTo({ center: [longitude, latitude], zoom: ZOOMS[layer] ?? 16, duration: 600 });
          onPick?.(found);
        }}
      />
    </div>
  );
}
