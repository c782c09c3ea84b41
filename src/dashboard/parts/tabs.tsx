import type { JSX } from "preact";
import { useQueryValue } from "../base/router.tsx";
import "./tabs.css";

/** Tabs of a page or a drawer. The active one is in the URL under `name`. */
export function useTabs<T extends string>(name: string, tabs: readonly (readonly [T, string])[]): [T, JSX.Element] {
  const [value, setValue] = useQueryValue(name, tabs[0][0]);
  const current = tabs.find(([tab]) => tab === value)?.[0] ?? tabs[0][0];
  return [
    current,
    <div key="tabs" class="tabs" role="tablist">
      {tabs.map(([tab, title]) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => setValue(tab)}
          onKeyDown={(event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step === 0) return;
            const at = (tabs.findIndex(([one]) => one === current) + step + tabs.length) % tabs.length;
            setValue(tabs[at][0]);
            const buttons = event.currentTarget.parentElement?.querySelectorAll("button");
            buttons?.[at].focus();
          }}
        >
          {title}
        </button>
      ))}
    </div>,
  ];
}
