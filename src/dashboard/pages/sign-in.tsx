import { KeyRound } from "lucide";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Api } from "../api/client.ts";
import { signInWithPasskey } from "../api/passkeys.ts";
import { BASE } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { Logo } from "../parts/logo.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { ProblemText } from "../parts/states.tsx";
import { Code } from "../parts/values/code.tsx";
import "./sign-in.css";

/**
 * Sign-in by a single-use link, whose token is in the URL fragment, which is never logged; or by a passkey. There are
 * no passwords.
 */
export function SignIn({ onDone }: { onDone: () => Promise<void> }) {
  const [token] = useState(() => new URLSearchParams(location.hash.split("?")[1] ?? "").get("token"));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const withLink = useCallback(async () => {
    setBusy(true);
    const result = await new Api(undefined).post("/dashboard/api/sign-in", { token });
    setBusy(false);
    // Used or wrong, it is of no use in the address or the history.
    if (result.ok || result.problem.status !== 0) history.replaceState(null, "", `${BASE}/`);
    if (result.ok) await onDone();
    else setProblem(result.problem.message);
  }, [token, onDone]);
  useEffect(() => {
    if (token) void withLink();
  }, [token, withLink]);

  return (
    <main class="sign-in">
      <section class="card stack">
        <div class="row">
          <Logo size={32} />
          <h1>Graticule</h1>
        </div>
        {busy ? (
          <p role="status">Signing you in…</p>
        ) : (
          <>
            {problem && <ProblemText>{problem}</ProblemText>}
            <WithPasskey onDone={onDone} />
            <hr />
            <p class="muted">
              Or open a single-use sign-in link. An owner or admin can create one on the Settings page, and the operator
              can run this command on the server:
            </p>
            <Code text="npm run project -- member add you@example.com --role owner" wrap />
            <p class="muted small">
              On your own machine, <code>npm run dev</code> prints a sign-in link at each start.
            </p>
          </>
        )}
      </section>
    </main>
  );
}

function WithPasskey({ onDone }: { onDone: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signIn = async () => {
    setBusy(true);
    setProblem(undefined);
    const failed = await signInWithPasskey();
    setBusy(false);
    if (failed === undefined) await onDone();
    else setProblem(failed);
  };
  return (
    <>
      {problem && <ProblemText>{problem}</ProblemText>}
      <Button main icon={KeyRound} busy={busy} onClick={() => void signIn()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

/** Sign-in dialog over the page on which the session ended. The page keeps its state. */
export function SessionEnded({ onDone, onClose }: { onDone: () => Promise<void>; onClose: () => void }) {
  return (
    <Dialog title="Your session has ended" onClose={onClose}>
      <p>Your unsaved input is still on the page. Sign in again to continue.</p>
      <WithPasskey onDone={onDone} />
      <p class="muted">Or open a new sign-in link in another tab of this browser, then return here.</p>
      <Button onClick={() => void onDone()}>I signed in in another tab</Button>
    </Dialog>
  );
}
