import { CircleAlert } from "lucide";
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Cache } from "../api/cache.ts";
import { Api, type Problem } from "../api/client.ts";
import { ApiContext } from "../api/hooks.ts";
import type { Session } from "../api/session.ts";
import { SessionContext, useSession } from "../api/session-context.ts";
import { readStored, writeStored } from "../api/stored.ts";
import { BASE, pathTo, RouterProvider, useAddress, useRouter } from "../base/router.tsx";
import { applyTheme } from "../base/theme.ts";
import { SessionEnded, SignIn } from "../pages/sign-in.tsx";
import { Button } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { toast } from "../parts/overlays/toast.tsx";
import { Empty, Failure } from "../parts/states.tsx";
import { Boot } from "./boot.tsx";
import { Layout } from "./layout.tsx";
import { isPage } from "./page-words.ts";
import { type Page, pageOf } from "./pages.tsx";

applyTheme();

export function App() {
  return (
    <RouterProvider>
      <Gate />
    </RouterProvider>
  );
}

const SESSION_ASKED_EVERY_MS = 60_000;

const MEMBER = "graticule-docs-member";

/** Whether the viewer was signed in when a page of this browser last looked. */
const wasSignedIn = () => readStored(MEMBER) === "1";

/** Tells the guides whether it is worth asking for the session: its cookie is nothing that a page may read. */
const notifyDocs = (isSignedIn: boolean) => writeStored(MEMBER, isSignedIn ? "1" : null);

/** The viewer's session, loaded again when the page gets the focus and every minute. */
function useCurrentSession() {
  const [session, setSession] = useState<Session | "none">();
  const [problem, setProblem] = useState<Problem>();
  /** The session of the page on the screen has ended: the page stays, with its input. */
  const [hasEnded, setEnded] = useState(false);
  const ask = useCallback(async () => {
    const result = await new Api(undefined).get<Session>("/dashboard/api/session");
    setProblem(result.ok || result.problem.status === 401 ? undefined : result.problem);
    if (result.ok) {
      setSession((before) => {
        // A different member must not see the page of the previous one.
        if (before && before !== "none" && before.member._id !== result.data.member._id) location.reload();
        return result.data;
      });
      setEnded(false);
    } else if (result.problem.status === 401) {
      setSession((before) => before ?? "none");
      setEnded(true);
    }
  }, []);
  const hasToken = location.hash.startsWith("#/sign-in");
  useEffect(() => {
    if (!hasToken) void ask();
  }, [ask, hasToken]);

  // Detects a changed role or an ended session soon after the viewer returns to the page.
  useEffect(() => {
    const look = () =>
      document.visibilityState === "visible" && session !== undefined && session !== "none" && void ask();
    addEventListener("focus", look);
    const timer = setInterval(look, SESSION_ASKED_EVERY_MS);
    return () => {
      removeEventListener("focus", look);
      clearInterval(timer);
    };
  }, [ask, session]);
  return { session, setSession, problem, hasEnded, setEnded, hasToken, ask };
}

/** The session, as pages read it. */
function useSessionState(
  known: Session | undefined,
  id: string | undefined,
  setSession: (session: "none") => void,
  ask: () => Promise<void>,
) {
  const { go } = useRouter();
  const leave = useCallback(() => {
    setSession("none");
    go(`${BASE}/`, { replace: true });
  }, [go]);
  return useMemo(
    () => ({
      session: known,
      project: known?.projects.find((one) => one._id === id),
      again: () => void ask(),
      async signOut() {
        const result = await new Api(undefined).post("/dashboard/api/sign-out");
        if (result.ok || result.problem.status === 401) leave();
        else toast(`You are still signed in. ${result.problem.message}`, { tone: "bad" });
      },
      ended: leave,
    }),
    [known, id, ask, leave],
  );
}

/** Loads the session before showing a page or the sign-in form. */
function Gate() {
  const { session, setSession, problem, hasEnded, setEnded, hasToken, ask } = useCurrentSession();
  const { project: id, environment } = useAddress();
  const { go, path } = useRouter();
  const cache = useMemo(
    () =>
      new Cache(
        new Api(id === undefined ? undefined : { project: id, environment }, {
          signedOut: () => setEnded(true),
          roleChanged: () => void ask(),
        }),
      ),
    [id, environment, ask],
  );
  useEffect(() => {
    if (session !== undefined) notifyDocs(session !== "none");
  }, [session]);
  const known = session === "none" ? undefined : session;
  const [isExpected] = useState(wasSignedIn);
  const state = useSessionState(known, id, setSession, ask);
  // An address without a project leads to the first one; locally that is the only one.
  const first = known?.projects[0]?._id;
  const isHome = path.replace(/\/$/, "") === BASE;
  useEffect(() => {
    if (isHome && first !== undefined && id === undefined)
      go(pathTo({ project: first, environment: "test" }), { replace: true });
  }, [isHome, first, id, go]);

  if (session === "none" || hasToken) return <SignIn onDone={ask} />;
  if (problem && !known) {
    return (
      <div class="alone">
        <Failure problem={problem} again={() => void ask()} />
      </div>
    );
  }
  if (path === AUTHORIZE) return known ? <Authorize session={known} /> : <Boot />;
  // The page's requests need not wait for the session's: until it has come, the page shows what a reader may do.
  if (!known && (id === undefined || !isExpected)) return <Boot />;
  if (isHome && first !== undefined) return <Boot />;
  return (
    <SessionContext.Provider value={state}>
      <ApiContext.Provider value={cache}>
        <CurrentPage key={`${id} ${environment}`} />
        {hasEnded && (
          <SessionEnded
            onDone={async () => {
              await ask();
              cache.forget("");
            }}
            onClose={() => setEnded(false)}
          />
        )}
      </ApiContext.Provider>
    </SessionContext.Provider>
  );
}

/** Where an agent sends its user (OAuth). */
const AUTHORIZE = `${BASE}/authorize`;
const Authorize = lazy(() => import("../pages/authorize.tsx"), "100dvh");

const loaded = new Map<string, ComponentType>();

function CurrentPage() {
  const { page: path, rest, project } = useAddress();
  const { session } = useSession();
  const page = isPage(path, rest) ? pageOf(path) : undefined;
  const known = !session || session.projects.some(({ _id }) => _id === project);
  const title = page?.title ?? "Not found";
  useEffect(() => {
    document.title = `${title} – Graticule`;
  }, [title]);
  return (
    <Layout page={page}>
      {!page || !known ? (
        <Empty icon={CircleAlert} title={known ? "Page not found" : "Project not found, or you are not a member of it"}>
          <a href={`${BASE}/`}>Go to the overview</a>
        </Empty>
      ) : (
        <Loaded key={page.path} page={page} />
      )}
    </Layout>
  );
}

/** A page whose code may still be loading. Errors inside it keep the frame. */
function Loaded({ page }: { page: Page }) {
  const [Content, setContent] = useState<ComponentType | undefined>(() => page.content ?? loaded.get(page.path));
  const [failed, setFailed] = useState(false);
  const load = useCallback(async () => {
    setFailed(false);
    try {
      const { default: content } = await page.load();
      loaded.set(page.path, content);
      setContent(() => content);
    } catch {
      setFailed(true);
    }
  }, [page]);
  useEffect(() => {
    if (!page.content && !loaded.has(page.path)) void load();
  }, [page, load]);
  if (failed) {
    return (
      <Failure
        problem={{
          status: 0,
          message: "This page could not be loaded: no connection, or a newer version was deployed.",
        }}
        again={() => location.reload()}
      />
    );
  }
  return <Catch>{Content ? <Content /> : null}</Catch>;
}

class Catch extends Component<{ children: ComponentChildren }, { error?: Error }> {
  override state: { error?: Error } = {};

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Empty icon={CircleAlert} title="This page failed">
        <code>{error.message}</code>
        <Button onClick={() => this.setState({ error: undefined })}>Try again</Button>
      </Empty>
    );
  }
}
