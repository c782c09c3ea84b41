import { KeyRound } from "lucide";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Api } from "../api/client.ts";
import { signInWithPasskey } from "../api/passkeys.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Logo } from "../parts/logo.tsx";
import { BASE } from "../router.tsx";
import "./sign-in.css";

/** The way in: a one-time link, whose token stands behind the # where no log sees it; or a passkey. No password exists. */
export default function SignIn({ onDone }: { onDone: () => Promise<void> }) {
  const [token] = useState(() => new URLSearchParams(location.hash.split("?")[1] ?? "").get("token"));
  const [busy, setBusy] = useState<"link" | "passkey">();
  const [problem, setProblem] = useState<string>();

  const withLink = useCallback(async () => {
    setBusy("link");
    const result = await new Api(undefined).post("/dashboard/api/sign-in", { token });
    setBusy(undefined);
    // Used or wrong, it is of no use in the address or the history.
    if (result.ok || result.problem.status !== 0) history.replaceState(null, "", `${BASE}/`);
    if (result.ok) await onDone();
    else setProblem(result.problem.message);
  }, [token, onDone]);
  useEffect(() => {
    if (token) void withLink();
  }, [token, withLink]);

  const withPasskey = async () => {
    setBusy("passkey");
    setProblem(undefined);
    const failed = await signInWithPasskey();
    setBusy(undefined);
    if (failed === undefined) await onDone();
    else setProblem(failed);
  };

  return (
    <main class="sign-in">
      <section class="card stack">
        <div class="row">
          <Logo size={32} />
          <h1>Graticule</h1>
        </div>
        {busy === "link" ? (
          <p role="status">Signing you in…</p>
        ) : (
          <>
            {problem && (
              <p class="field-problem" role="alert">
                {problem}
              </p>
            )}
            <Button main icon={KeyRound} busy={busy === "passkey"} onClick={() => void withPasskey()}>
              Sign in with a passkey
            </Button>
            <hr />
            <p class="muted">
              Or open a link that signs in once. An owner or admin makes one for you on the Settings page; whoever runs
              the server prints one:
            </p>
            <Code text="npm run project -- member add you@example.com --role owner" wrap />
            <p class="muted small">
              On your own machine <code>npm run dev</code> prints a link each time it starts.
            </p>
          </>
        )}
      </section>
    </main>
  );
}

export { SignIn };
