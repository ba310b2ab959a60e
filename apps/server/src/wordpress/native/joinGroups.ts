/** Joins control groups, then becomes the program. */
const script = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';

/** The command that runs another one in control groups, each given by the file through which a process joins it. */
export function inGroups(groups: string[], [command, args]: [string, string[]]): [command: string, args: string[]] {
  return ["/bin/sh", ["-c", script, "sh", ...groups, "--", command, ...args]];
}
