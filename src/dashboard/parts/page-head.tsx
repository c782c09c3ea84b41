import type { ComponentChildren } from "preact";

interface PageHeadProps {
  title: ComponentChildren;
  about?: ComponentChildren;
  actions?: ComponentChildren;
}

/** Page header: title, a sentence or control, and actions. */
export function PageHead({ title, about, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      <div class="grow">
        <h1 class="wraps">{title}</h1>
        {about !== undefined && <p class="muted">{about}</p>}
      </div>
      {actions !== undefined && <div class="row wrap">{actions}</div>}
    </header>
  );
}
