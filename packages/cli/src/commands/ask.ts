import type { Command } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { readLimits, readTime } from '../values.ts'

export const ask: Command = {
  name: 'ask',
  summary: 'Ask a person for a grant: makes a link that they open in their vault',
  operands: 'COMMAND',
  options: {
    vault: { type: 'string', value: 'URL', help: "Where the person's vault is" },
    limit: { type: 'string', multiple: true, value: 'JSON', help: 'A limit on the arguments' },
    for: { type: 'string', value: 'TIME', help: 'For how long: 30m, 8h, 7d. Default: 1h' },
    reason: { type: 'string', value: 'TEXT', help: 'What for; the person sees it as your words' },
  },
  examples: [
    [
      `keyhole ask /mcp/tools/call --vault https://vault.example --for 7d --reason 'To read your notes' --limit '["==", ".name", "read_text_file"]'`,
      'One tool, for a week. Then give what the vault shows to `keyhole add`',
    ],
  ],
  async run(given) {
    const [command, ...more] = given.positionals
    if (!command || more.length > 0) wrongUsage('Name one command, such as /mcp/tools/call.')
    const vault = given.text('vault') ?? wrongUsage("Say where the person's vault is: --vault https://….")
    const [time, reason] = [given.text('for'), given.text('reason')]
    const { link, text, code } = await given.holder().ask({
      vault,
      command: String(command),
      policy: readLimits(given.texts('limit')),
      ...(time !== undefined && { expiresIn: readTime(time) }),
      ...(reason !== undefined && { reason }),
    })
    return {
      json: { link, text, code },
      text: [
        'Open this link in the vault, or paste it there:',
        '',
        link,
        '',
        `The vault should show the code ${code}.`,
        'Then run `keyhole add` and paste what the vault answers.',
      ].join('\n'),
    }
  },
}
