const KNOWN: Readonly<Record<string, string>> = {
  '/': 'do anything at all',
  '/crud': 'read and change data',
  '/crud/create': 'create data',
  '/crud/read': 'read data',
  '/crud/update': 'change data',
  '/crud/delete': 'delete data',
  '/crypto': 'use your keys for cryptography',
  '/crypto/sign': 'have data signed',
  '/http': 'make web requests',
  '/http/get': 'fetch web pages',
  '/msg': 'handle messages',
  '/msg/send': 'send messages',
  '/payment': 'do anything with payments',
  '/payment/authorize': 'authorise payments',
  '/ucan/revoke': 'revoke tokens',
}

/** What a command lets its holder do, as the end of "may …". An unknown one is quoted, with what it covers. */
export function commandWords(command: string): string {
  return KNOWN[command] ?? `use “${command}” and all under it`
}

/** Why a text is no command, or undefined when it is one (lower case, starts with "/", no empty segment). */
export function commandProblem(command: string): string | undefined {
  if (command === '') return 'Say what they may do: a command such as /msg/send.'
  if (!command.startsWith('/')) return 'A command starts with a slash, as in /msg/send.'
  if (command === '/') return undefined
  if (command.endsWith('/')) return 'A command does not end with a slash.'
  if (command.includes('//')) return 'A command has no empty part: two slashes stand side by side.'
  if (command !== command.toLowerCase()) return 'A command is written in lower case.'
  if (/\s/.test(command)) return 'A command has no spaces in it.'
  return undefined
}

/** Whether `wider` covers `narrower`, segment by segment: /crypto covers /crypto/sign and not /cryptocurrency. */
export function covers(wider: string, narrower: string): boolean {
  return wider === '/' || narrower === wider || narrower.startsWith(`${wider}/`)
}
