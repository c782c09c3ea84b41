import type { Command } from "./base/command.ts";

/** Completion scripts: `graticule completion bash >> ~/.bashrc`. Undefined for another shell. */
export function completionScript(
  shell: string | undefined,
  commands: readonly Command[],
  shared: readonly string[],
): string | undefined {
  const lines = commands.map(({ name, summary, options = {}, parts = [] }) => ({
    name,
    summary,
    parts,
    options: [...Object.keys(options), ...shared].map((option) => `--${option}`),
  }));
  const names = [...lines.map(({ name }) => name), "completion", "help"];
  if (shell === "bash")
    return `_graticule() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names.join(" ")}"
  else
    case "\${COMP_WORDS[1]}" in
${lines.map(({ name, parts, options }) => `      ${name}) words="${[...parts, ...options].join(" ")}" ;;`).join("\n")}
      completion) words="bash zsh fish" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _graticule graticule
`;
  if (shell === "zsh")
    return `#compdef graticule
_graticule() {
  if (( CURRENT == 2 )); then
    compadd ${names.join(" ")}
    return
  fi
  case "\${words[2]}" in
${lines.map(({ name, parts, options }) => `    ${name}) compadd -- ${[...parts, ...options].join(" ")} ;;`).join("\n")}
    completion) compadd bash zsh fish ;;
  esac
  _files
}
compdef _graticule graticule
`;
  if (shell === "fish")
    return `${[
      ...lines.flatMap(({ name, summary, parts, options }) => [
        `complete -c graticule -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "")}'`,
        ...parts.map((part) => `complete -c graticule -n '__fish_seen_subcommand_from ${name}' -a ${part}`),
        ...options.map(
          (option) => `complete -c graticule -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
        ),
      ]),
      "complete -c graticule -n __fish_use_subcommand -a completion",
      "complete -c graticule -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'",
    ].join("\n")}\n`;
  return undefined;
}
