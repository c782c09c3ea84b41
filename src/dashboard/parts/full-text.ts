/**
 * Shows the full text of what ends in "…" while the pointer is on it. Details and screen readers have it anyway.
 */
export function showFullTexts(): void {
  document.addEventListener("pointerover", ({ target }) => {
    const cut = target instanceof Element ? target.closest<HTMLElement>(".cut, .table td, .table th") : undefined;
    if (!cut || cut.title || cut.scrollWidth <= cut.clientWidth) return;
    // Only texts: a cell may hold fields and buttons, and parts with a title of their own.
    if (!cut.querySelector("input, select, button, [title]")) cut.title = cut.innerText.trim();
  });
}
