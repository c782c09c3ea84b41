import { PageHead } from "../parts/page-head.tsx";

export default function Beacons() {
  return <PageHead title="Beacons" />;
}
