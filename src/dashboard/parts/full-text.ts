/**
 * Shows the full text of what ends in "…" while the pointer is on it. Details and screen readers have it anyway.
 */
export function showFullTexts(): void {
  document.addEventListener("pointerover", ({ target }) => {
    if (!(target instanceof Element)) return;
    // A link within a cell is as wide as its text: the cell cuts it.
    const cut = target.closest<HTMLElement>(".table td, .table th") ?? target.closest<HTMLElement>(".cut");
    if (!cut || cut.title || cut.scrollWidth <= cut.clientWidth) return;
    // Only texts: a cell may hold fields and buttons, and parts with a title of their own.
    if (!cut.querySelector("input, select, button, [title]")) cut.title = cut.innerText.trim();
  });
}
