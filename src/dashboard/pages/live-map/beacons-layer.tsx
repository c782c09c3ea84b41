import { useMemo } from "preact/hooks";
import type { listAllBeacons } from "../../../worker/http/beacons/beacons.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress, useRouter } from "../../base/router.tsx";
import { toCoordinate } from "../../map/layers/features.ts";
import { SignsLayer } from "../../map/layers/layers.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";

/** Where beacons are; a click leads to theirs. */
export function BeaconsLayer() {
  const { to } = useAddress();
  const { go } = useRouter();
  const asked = useQuery<Answer<typeof listAllBeacons>>("/v1/beacons", { limit: 1000 });
  const signs = useMemo(
    () =>
      (asked.data?.beacons ?? []).map((beacon) => ({
        id: beacon._id,
        name: nameOfRecord(beacon),
        sign: "beacon",
        location: toCoordinate(beacon.geometry.coordinates),
      })),
    [asked.data],
  );
  return <SignsLayer source="beacons" signs={signs} onPick={(id) => go(`${to("beacons")}?beacon=${id}`)} />;
}
