import {
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  Keyboard,
  LogOut,
  Menu,
  Monitor,
  Moon,
  Search,
  Sun,
  UserRound,
} from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../api/session-context.ts";
import { type Environment, pathTo, useAddress, useRouter } from "../base/router.tsx";
import { type Theme, useTheme } from "../base/theme.ts";
import { BareSelect } from "../forms/bare.tsx";
import { Button } from "../parts/button.tsx";
import { Downloads } from "../parts/files/downloads.tsx";
import { Icon } from "../parts/icon.tsx";
import { Logo } from "../parts/logo.tsx";
import { Toasts } from "../parts/overlays/toast.tsx";
import { BackupBanner } from "./backup-banner.tsx";
import { FOLDING, PAGES, type Page } from "./pages.tsx";
import { Palette } from "./palette.tsx";
import { Shortcuts, searchKeys, useShortcuts } from "./shortcuts.tsx";
import "./layout.css";
import "./print.css";

/** The frame around every page: where one is, in which environment, and the way to everything else. */
export function Layout({ page, children }: { page?: Page; children: ComponentChildren }) {
  const { path } = useRouter();
  const { environment } = useAddress();
  const { project } = useSession();
  const [menuOpen, setMenuOpen] = useState(false);
  const [shown, setShown] = useState<"search" | "shortcuts">();
  // Whoever arrives somewhere has no use for the menu any more.
  useEffect(() => setMenuOpen(false), [path]);
  useShortcuts(setShown);
  return (
    <div class={`layout ${environment} ${menuOpen ? "menu-open" : ""}`}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="topbar">
        <Button bare icon={Menu} label="Menu" expanded={menuOpen} onClick={() => setMenuOpen(!menuOpen)} />
        <Logo />
        <span class="strong grow cut">{project?.name ?? "Graticule"}</span>
        <span class={`environment-mark ${environment}`}>{environment === "live" ? "Live" : "Test"}</span>
        <Button bare icon={Search} label="Search" onClick={() => setShown("search")} />
      </header>
      <nav class="sidebar" aria-label="Main">
        <ProjectSwitch />
        <EnvironmentSwitch />
        <button type="button" class="search-button" onClick={() => setShown("search")}>
          <Icon of={Search} /> Search <kbd>{searchKeys()}</kbd>
        </button>
        <PageLinks current={page} />
        <MemberMenu onShortcuts={() => setShown("shortcuts")} />
      </nav>
      {menuOpen && <button type="button" class="scrim" aria-label="Close menu" onClick={() => setMenuOpen(false)} />}
      <main id="main" class={page?.full ? "main full" : "main"} tabIndex={-1}>
        <BackupBanner />
        {children}
      </main>
      {shown === "search" && <Palette onClose={() => setShown(undefined)} />}
      {shown === "shortcuts" && <Shortcuts onClose={() => setShown(undefined)} />}
      <div class="corner">
        <Downloads />
        <Toasts />
      </div>
    </div>
  );
}

function ProjectSwitch() {
  const { session } = useSession();
  const { project, environment } = useAddress();
  const { go } = useRouter();
  const projects = session?.projects ?? [];
  const current = projects.find(({ _id }) => _id === project);
  return (
    <div class="project">
      <Logo />
      {projects.length > 1 ? (
        <div class="project-select">
          <BareSelect
            label="Project"
            value={project ?? ""}
            onChange={(next) => go(pathTo({ project: next, environment }))}
            options={projects.map(({ _id, name }) => [_id, name] as const)}
          />
          <Icon of={ChevronsUpDown} />
        </div>
      ) : (
        <span class="strong cut" title={current?.name}>
          {current?.name ?? "Graticule"}
        </span>
      )}
    </div>
  );
}

/** Test and Live show the same page of two worlds; what a page was filtered by in one means nothing in the other. */
function EnvironmentSwitch() {
  const { project, environment, page } = useAddress();
  const at = (other: Environment) => pathTo({ project, environment: other }, page);
  return (
    // biome-ignore lint/a11y/useSemanticElements: two links, not fields of a form
    <div class="environments" role="group" aria-label="Environment">
      {(["test", "live"] as const).map((one) => (
        <a key={one} class={one} href={at(one)} aria-current={one === environment ? "true" : undefined}>
          {one === "test" ? "Test" : "Live"}
        </a>
      ))}
    </div>
  );
}

/** The pages in groups. Of those that fold, one is open, so that all entries fit a window of 720 pixels. */
function PageLinks({ current }: { current?: Page }) {
  const { to, environment } = useAddress();
  const own = current && FOLDING.includes(current.group) ? current.group : undefined;
  const [open, setOpen] = useState(own ?? FOLDING[0]);
  useEffect(() => {
    if (own) setOpen(own);
  }, [own]);
  const pages = PAGES.filter(({ testOnly }) => !testOnly || environment === "test");
  const groups = [...new Set(pages.map(({ group }) => group))];
  return (
    <div class="pages">
      {groups.map((group) => {
        const folds = FOLDING.includes(group);
        const isOpen = !folds || group === open;
        return (
          <div key={group} class="page-group">
            {folds && (
              <button type="button" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? "" : group)}>
                <span class="grow">{group}</span> <Icon of={isOpen ? ChevronDown : ChevronRight} />
              </button>
            )}
            {isOpen &&
              pages
                .filter((page) => page.group === group)
                .map(({ path, title, icon }) => (
                  <a key={path} href={to(path)} aria-current={path === current?.path ? "page" : undefined}>
                    <Icon of={icon} /> {title}
                  </a>
                ))}
          </div>
        );
      })}
    </div>
  );
}

const THEMES: readonly (readonly [Theme, string, typeof Sun])[] = [
  ["system", "System", Monitor],
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
];

function MemberMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { session, project, signOut } = useSession();
  const [theme, setTheme] = useTheme();
  return (
    <div class="member">
      <fieldset class="themes">
        <legend class="unseen">Theme</legend>
        {THEMES.map(([value, label, icon]) => (
          <Button
            key={value}
            small
            bare
            icon={icon}
            label={label}
            pressed={theme === value}
            onClick={() => setTheme(value)}
          />
        ))}
        <span class="grow" />
        <Button small bare icon={Keyboard} label="Keyboard shortcuts" onClick={onShortcuts} />
        <Button small bare icon={LogOut} label="Sign out" onClick={() => void signOut()} />
      </fieldset>
      <p class="row small muted" title={session?.member.email}>
        <Icon of={UserRound} />
        <span class="wraps grow">{session?.member.email}</span>
        {project && <span>{project.role}</span>}
      </p>
    </div>
  );
}
