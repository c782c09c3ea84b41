import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Skeleton } from "./states.tsx";

/** A part whose code is loaded when it is first shown, such as a map. Until then a place of its height is kept. */
export function lazy<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  height: number | string,
) {
  let Part: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, loaded] = useState(Part !== undefined);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Part) return;
      load().then(
        (module) => {
          Part = module.default;
          loaded(true);
        },
        () => setFailed(true),
      );
    }, []);
    if (failed) return <p class="muted">This section could not be loaded. Reload the page.</p>;
    return Part ? <Part {...props} /> : <Skeleton height={height} />;
  };
}
