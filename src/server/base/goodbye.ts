/**
 * Calls back when the process should end: Ctrl-C, a signal, a closed terminal. A signal that ends npm may not reach us,
 * so under npm the loss of the parent process counts, too.
 */
export function onGoodbye(leave: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, leave);
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    leave();
  }, 300);
  watch.unref();
}
