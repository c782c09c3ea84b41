import { PageHead } from "../parts/page-head.tsx";

export default function Webhooks() {
  return <PageHead title="Webhooks" />;
}
