import type { Peer } from "../serve/peers.ts";
import { mapbox } from "./mapbox/mapbox.ts";
import { nominatim } from "./nominatim/nominatim.ts";
import { osrm } from "./osrm/osrm.ts";
import { photon } from "./photon/photon.ts";
import { vroom } from "./vroom/vroom.ts";

const PEERS: readonly Peer[] = [osrm, mapbox, nominatim, photon, vroom];

/** The peer whose paths include this one, for the errors of paths that no endpoint has. */
export function peerOf(path: string): Peer | undefined {
  return PEERS.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`));
}
