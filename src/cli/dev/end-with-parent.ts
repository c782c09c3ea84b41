/**
 * Loaded into the dev server before its own code: when the channel to the process that started it closes, that process
 * is dead, and the whole process group ends with it. Nothing is lost: what the Worker has answered is on disk.
 */
process.channel?.unref();
process.once("disconnect", () => process.kill(0, "SIGKILL"));
