import type { ComponentChildren } from "preact";

/** The head of a page: its title, one sentence or control beside it, and what one can do. */
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
        <h1 class="cut">{title}</h1>
        {about !== undefined && <p class="muted">{about}</p>}
      </div>
      {actions !== undefined && <div class="row wrap">{actions}</div>}
    </header>
  );
}
