/**
 * Networks (autonomous systems) that rent servers or carry VPNs: nobody sits behind them with a browser of his own. From the
 * public register of AS numbers (RIPE, ARIN); the large ones, as a VPN usually leaves from one of these.
 */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [9009, "M247"],
  [13335, "Cloudflare WARP"],
  [14061, "DigitalOcean"],
  [14618, "Amazon"],
  [16276, "OVH"],
  [16509, "Amazon"],
  [20473, "Vultr"],
  [24940, "Hetzner"],
  [31898, "Oracle Cloud"],
  [36351, "IBM Cloud"],
  [39351, "31173 Services (Mullvad)"],
  [46562, "Performive"],
  [51167, "Contabo"],
  [60068, "Datacamp"],
  [62240, "Clouvider"],
  [63949, "Linode"],
  [136787, "PacketHub (NordVPN)"],
  [141039, "PacketHub (NordVPN)"],
  [147049, "PacketHub (NordVPN)"],
  [207137, "PacketHub (NordVPN)"],
  [209103, "Proton"],
  [212238, "Datacamp"],
  [396982, "Google Cloud"],
]);

/** Does the address belong to Tor ("T1" for a country, as the platform says) or a known network of servers? */
export function isProxy(country: string | undefined, asn: number | undefined): boolean {
  return country === "T1" || (asn !== undefined && NETWORKS.has(asn));
}
