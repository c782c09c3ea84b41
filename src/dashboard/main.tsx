import { render } from "preact";
import { addressOf } from "./base/router.tsx";
import { App } from "./frame/app.tsx";
import { pageOf } from "./frame/pages.tsx";
import { showFullTexts } from "./parts/full-text.ts";
import "./theme.css";
import "./base.css";

// The code of the page comes while the app starts.
void pageOf(addressOf(location.pathname).page)
  ?.load()
  .catch(() => {});
showFullTexts();
const app = document.getElementById("app")!;
// Preact keeps elements that it does not reuse: the painted frame would stay next to a first page that is another one.
app.replaceChildren();
render(<App />, app);
