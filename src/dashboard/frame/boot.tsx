import { Logo } from "../parts/logo.tsx";

/** The same as in index.html, which the browser paints before the code of the app has been loaded. */
export function Boot() {
  return (
    <div class="boot">
      <Logo />
      <span class="strong">Graticule</span>
    </div>
  );
}
