import { PageHead } from "../parts/page-head.tsx";

export default function Events() {
  return <PageHead title="Events" />;
}
