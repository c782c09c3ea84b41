import { render } from "preact";
import { SharePage } from "./share/share-page.tsx";
import "./theme.css";
import "./base.css";

render(<SharePage />, document.getElementById("app")!);
