import type { ComponentChildren } from "preact";

/** Page header: title, a sentence or control, and actions. */
export function PageHead({
  title,
  about,
  actions,
}: {
  title: ComponentChildren;
  about?: ComponentChildren;
  actions?: ComponentChildren;
}) {
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
