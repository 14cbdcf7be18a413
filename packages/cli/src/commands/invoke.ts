import type { Command } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { readText } from '../input.ts'
import { readJson, readTime } from '../values.ts'

export const invoke: Command = {
  name: 'invoke',
  summary: 'Sign a call with the narrowest grant that covers it. Nothing is sent',
  operands: 'COMMAND [FILE]',
  options: {
    audience: { type: 'string', value: 'DID', help: 'Who carries it out. Default: the owner' },
    subject: { type: 'string', value: 'DID', help: 'The owner, if you have grants of several' },
    for: { type: 'string', value: 'TIME', help: 'How long it is valid. Default: 5m' },
  },
  examples: [
    [
      `echo '{"to": "bob"}' | keyhole invoke /msg/send --audience did:key:z6Mk…`,
      'The arguments are JSON, from standard input',
    ],
  ],
  async run(given) {
    const [command, ...files] = given.positionals
    if (!command) wrongUsage('Name a command, such as /msg/send.')
    const args = readJson(await readText({ ...given, positionals: files }), 'The arguments')
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      return wrongUsage('The arguments are not an object.')
    const [audience, subject, time] = [given.text('audience'), given.text('subject'), given.text('for')]
    const made = await given.holder().invoke(String(command), Object.fromEntries(Object.entries(args)), {
      ...(audience !== undefined && { audience }),
      ...(subject !== undefined && { subject }),
      ...(time !== undefined && { expiresIn: readTime(time) }),
    })
    return { json: made, text: made.token }
  },
}
