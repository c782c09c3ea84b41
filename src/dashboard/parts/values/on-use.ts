/** Makes a value when it is first used. Formatters of Intl cost milliseconds each, and the first view of a page needs few of them. */
export function onUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
