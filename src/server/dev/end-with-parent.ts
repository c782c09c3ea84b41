/**
 * Loaded into the dev server before its own code. When the channel to the parent process closes, the parent is dead,
 * so the process group is killed. No data is lost, because acknowledged data is on disk.
 */
process.channel?.unref();
process.once("disconnect", () => process.kill(0, "SIGKILL"));
