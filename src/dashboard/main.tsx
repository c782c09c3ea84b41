import { render } from "preact";
import { App } from "./app.tsx";
import "./theme.css";
import "./base.css";

render(<App />, document.getElementById("app")!);
