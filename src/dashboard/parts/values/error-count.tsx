import { count } from "./format.tsx";
import "./error-count.css";

/** A number of errors: red unless it is zero. */
export const ErrorCount = ({ of }: { of: number }) => <span class={of > 0 ? "errors" : undefined}>{count(of)}</span>;
