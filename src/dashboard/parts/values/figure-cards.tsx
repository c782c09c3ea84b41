import type { ComponentChildren } from "preact";

interface FigureCardsProps {
  figures: readonly (readonly [title: string, value: ComponentChildren, about: ComponentChildren])[];
}

/** Figures of a page, each with its title above and what it means below. */
export function FigureCards({ figures }: FigureCardsProps) {
  return (
    <section class="figures" aria-label="Figures">
      {figures.map(([title, value, about]) => (
        <div key={title} class="card figure-card">
          <span class="muted">{title}</span>
          <span class="figure number">{value}</span>
          <span class="small muted">{about}</span>
        </div>
      ))}
    </section>
  );
}
