import { render } from "preact";
import { App } from "./app.tsx";
import { pageOf } from "./pages.tsx";
import { showFullTexts } from "./parts/full-text.ts";
import { addressOf } from "./router.tsx";
import "./theme.css";
import "./base.css";

// The code of the page comes while the app starts.
void pageOf(addressOf(location.pathname).page)
  ?.load()
  .catch(() => {});
showFullTexts();
const app = document.getElementById("app")!;
// Preact keeps elements that it does not reuse: the painted frame would stay beside a first page that is another one.
app.replaceChildren();
render(<App />, app);
