import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";

/** Each asks this tool for the words that can follow. Where it knows none, the shell offers files. */
const scripts: Record<string, string> = {
  bash: `_nido() {
  local IFS=$'\\n'
  COMPREPLY=($(nido --complete "\${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o default -F _nido nido`,
  zsh: `#compdef nido
_nido() {
  local -a found
  found=(\${(f)"$(nido --complete "\${(@)words[2,CURRENT]}")"})
  (( $#found )) && compadd -- $found || _files
}
compdef _nido nido`,
  fish: `complete -c nido -f -n 'test -n "$(__nido_words)"' -a '(__nido_words)'
function __nido_words
  set -l typed (commandline -opc)
  nido --complete $typed[2..] "$(commandline -ct)"
end`,
};

/** Prints a script that completes this tool's commands and options in a shell. */
export async function completion({ t, terminal }: Context, shell: string) {
  const script = Object.hasOwn(scripts, shell) && scripts[shell];
  if (!script) throw new Failure(t.shellUnknown(Object.keys(scripts).join(", ")), exitCodes.usage);
  terminal.result(script, { script });
}
