import { useState } from "preact/hooks";
import { Select } from "../../forms/fields.tsx";
import { Code } from "../../parts/values/code.tsx";

/** Clients of other services, and the path of each below the server. */
const CLIENTS = {
  osrm: "OSRM (leaflet-routing-machine)",
  mapbox: "Mapbox Directions (navigation SDKs)",
  nominatim: "Nominatim (Traccar, node-geocoder)",
  photon: "Photon (Dawarich)",
  vroom: "VROOM",
} as const;

type Client = keyof typeof CLIENTS;

/** The URL to paste into a client that asks for that of another service; where the key goes there is a name, never a key. */
export function PeerUrls() {
  const [client, setClient] = useState<Client>("osrm");
  return (
    <section class="stack tight" aria-label="Other clients">
      <h2>Other clients</h2>
      <Select
        label="Client of"
        options={Object.entries(CLIENTS)}
        value={client}
        onChange={(value) => setClient(value as Client)}
        hint="Paste this URL with a publishable key. Clients that send a header or a key parameter do not need /key/…"
      />
      <Code text={`${location.origin}/key/$PUBLISHABLE/${client}`} wrap label="Copy URL" />
    </section>
  );
}
