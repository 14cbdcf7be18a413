// Completions for shells, made from the commands themselves.
import { COMMON, type Command } from './command.ts'

const flagsOf = ({ options = {} }: Command) =>
  Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`)

/** A script for `bash`, `zsh` or `fish`; undefined for another shell. */
export function completionsFor(shell: string, commands: readonly Command[]): string | undefined {
  if (shell === 'bash') return bash(commands)
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
  if (shell === 'fish') return fish(commands)
  return undefined
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    "${command.name}") words="${flagsOf(command).join(' ')}" ;;`)
  return `_keyhole() {
  local words="" line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  line="\${line%% -*}"
  case "$line" in
    "") words="${firstWords(commands).join(' ')}" ;;
    "gate") words="${secondWords(commands, 'gate').join(' ')}" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _keyhole keyhole
`
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options = {} }) => {
    const [first = '', second] = name.split(' ')
    const quoted = `'${summary.replaceAll("'", "\\'")}'`
    const within = second ? `__fish_seen_subcommand_from ${first}` : '__fish_use_subcommand'
    return [
      `complete -c keyhole -f -n '${within}' -a ${second ?? first} -d ${quoted}`,
      ...Object.entries({ ...options, ...COMMON }).map(
        ([option, { type }]) =>
          `complete -c keyhole -n '__fish_seen_subcommand_from ${second ?? first}' -l ${option}${type === 'string' ? ' -r' : ''}`,
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}

const firstWords = (commands: readonly Command[]) => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
]
const secondWords = (commands: readonly Command[], first: string) =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))
