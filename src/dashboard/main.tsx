import { render } from "preact";
import { App } from "./app.tsx";
import { pageOf } from "./pages.tsx";
import { addressOf } from "./router.tsx";
import "./theme.css";
import "./base.css";

// The code of the page comes while the app starts.
void pageOf(addressOf(location.pathname).page)
  ?.load()
  .catch(() => {});
render(<App />, document.getElementById("app")!);
