import type { getAddress } from "../../../worker/http/addresses/address.ts";
import type { getPlace } from "../../../worker/http/places/place.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { MapDetail, WaitingDetail } from "../../map/map-page.tsx";
import { Id } from "../../parts/values/code.tsx";
import { Facts, MetadataLines } from "../../parts/values/facts.tsx";
import { position } from "../../parts/values/format.tsx";

type Place = Answer<typeof getPlace>["place"];

/** A place of the imported world, by its id: what the map knows of it, and what the project calls its chain. */
export function PlaceDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { to } = useAddress();
  const { data, problem, again } = useQuery<Answer<typeof getPlace>>(`/v1/places/${encodeURIComponent(id)}`);
  if (!data) return <WaitingDetail title="Place" {...{ problem, again, onClose }} />;
  const { place } = data;
  const { chain, phone, email, website } = place;
  return (
    <MapDetail title={place.name} onClose={onClose}>
      <Facts
        rows={[
          ["Categories", place.categories.join(", ")],
          ["Chain", chain && <a href={`${to("places", "chain", chain.slug)}${currentFilters()}`}>{chain.name}</a>],
          ["Your id", chain?.externalId],
          ["Your metadata", chain?.metadata && <MetadataLines of={chain.metadata} />],
          ["Address", place.address?.formattedAddress],
          ["Hours", place.openingHours && <Hours place={place} />],
          ["Phone", phone && <a href={`tel:${phone.split(";")[0].replace(/[^\d+]/g, "")}`}>{phone}</a>],
          ["Email", email],
          [
            "Website",
            website && (
              <a href={website} target="_blank" rel="noreferrer noopener">
                {website.replace(/^https?:\/\/(www\.)?|\/$/g, "")}
              </a>
            ),
          ],
          ["Wheelchair", place.wheelchair],
          ["Cuisine", place.cuisine?.join(", ")],
          ["Brand", place.brand],
          ["Wikidata", place.wikidata],
          ["Position", position(place.location.coordinates)],
          ["_id", <Id key="id">{place._id}</Id>],
        ]}
      />
      {chain && <p class="muted">Open the chain to set your own id and metadata.</p>}
    </MapDetail>
  );
}

/** In the place's own time. */
function Hours({ place: { openingHours, timeZone } }: { place: Place }) {
  if (!openingHours) return null;
  const { text, open, changesAt } = openingHours;
  const until = changesAt && new Date(Date.parse(changesAt) + timeZone.utcOffset * 1000).toUTCString();
  // "Mon, 23 Nov 2026 18:00:00 GMT"
  const when = until && `${until.slice(0, 3)} ${until.slice(17, 22)}`;
  const state = open === undefined ? undefined : open ? "Open now" : "Closed now";
  return (
    <>
      {state && <span class="block">{when ? `${state}, until ${when}` : state}</span>}
      <span class={state ? "muted" : ""}>{text}</span>
    </>
  );
}

/** An address by its id, from geocoding. */
export function HouseDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, problem, again } = useQuery<Answer<typeof getAddress>>(`/v1/addresses/${encodeURIComponent(id)}`);
  if (!data) return <WaitingDetail title="Address" {...{ problem, again, onClose }} />;
  const { address } = data;
  return (
    <MapDetail title={address.addressLabel ?? "Address"} onClose={onClose}>
      <Facts
        rows={[
          ["Address", address.formattedAddress],
          ["City", address.city],
          ["Postal code", address.postalCode],
          ["State", address.state],
          ["Country", address.country],
          ["Time zone", address.timeZone?.id],
          ["Position", position([address.longitude, address.latitude])],
          ["id", <Id key="id">{id}</Id>],
        ]}
      />
    </MapDetail>
  );
}

const currentFilters = () => window.location.search;
