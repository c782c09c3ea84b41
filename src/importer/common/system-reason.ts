/** What the system says about a file, in words of ours: texts of libraries are for programmers. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  ELOOP: "it is a link that leads to itself",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  EIO: "the disk does not return it",
  ENOSPC: "the disk is full",
};

/** Why a file cannot be read or written, without a full stop. */
export function systemReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return "its content is damaged";
  return REASONS[code] ?? (code.startsWith("Z_") ? "it is damaged or cut off" : `the system answers ${code}`);
}
