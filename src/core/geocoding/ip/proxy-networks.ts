/**
 * Networks (autonomous systems) that rent out servers or carry VPNs: people do not browse from them directly. A few
 * large ones, because VPN traffic usually leaves from one of these; each is on the public lists of X4BNet (lists_vpn:
 * networks of VPNs and of data centers), or, where marked, has the operator's name in the AS registry.
 */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [9009, "M247"],
  [13335, "Cloudflare (WARP, relays); register"],
  [14061, "DigitalOcean"],
  [14618, "Amazon"],
  [16276, "OVH"],
  [16509, "Amazon"],
  [20473, "Vultr"],
  [24940, "Hetzner"],
  [31898, "Oracle Cloud; register"],
  [36351, "IBM Cloud (SoftLayer)"],
  [39351, "31173 Services (Mullvad)"],
  [46562, "Total Server Solutions"],
  [50525, "Privado VPN"],
  [51167, "Contabo"],
  [60068, "Datacamp (CDN77)"],
  [60729, "Tor exits"],
  [62240, "Clouvider"],
  [63949, "Linode"],
  [136787, "Tefincom (NordVPN)"],
  [207137, "PacketHub (NordVPN)"],
  [209103, "Proton; register"],
  [209854, "Surfshark"],
  [212238, "Datacamp"],
  [396982, "Google Cloud; register"],
]);

/** Returns whether the address belongs to Tor (the platform reports the country "T1") or a known network of servers. */
export function isProxy(country: string | undefined, asn: number | undefined): boolean {
  return country === "T1" || (asn !== undefined && NETWORKS.has(asn));
}
