import { expect, test } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { commandWords } from '../words/command.ts'
import type { Contacts } from '../words/who.ts'
import type { Call } from './call.ts'
import { callSentence } from './call-sentence.ts'

const ME = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const ANNA = 'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2'
const contacts: Contacts = {
  own: new Set([ME]),
  named: new Map([[ANNA, { id: '1', name: 'Anna', kind: 'person', isAlike: false }]]),
  isSealed: false,
}

const COMMANDS = [
  ...['/', '/crud', '/crud/create', '/crud/read', '/crud/update', '/crud/delete', '/crypto', '/crypto/sign'],
  ...['/file', '/file/read', '/file/write', '/http', '/http/get', '/http/post', '/mcp/tools/call'],
  ...['/mcp/resources/read', '/mcp/prompts/get', '/msg', '/msg/read', '/msg/send', '/payment'],
  ...['/payment/authorize', '/payment/request', '/relay/revocations/read', '/ucan/revoke', '/x/y'],
]

function asks(issuer: string, audience: string, command: string): string {
  const call = { issuer, audience, subject: audience, command, args: {} } as unknown as Call
  return callSentence(call, contacts).sentence
}

test('who asks whom for what is one sentence, in German too', async () => {
  expect(asks(ANNA, ME, '/msg/send')).toBe('Request from Anna (…bTQ2) to you: send messages.')
  await inGerman(() => {
    expect(asks(ANNA, ME, '/msg/send')).toBe('Anna (…bTQ2) stellt eine Anfrage an dich: Nachrichten senden.')
    expect(asks(ME, ANNA, '/file')).toBe('Deine Anfrage an Anna (…bTQ2): alles mit Dateien tun.')
    expect(asks(ME, ME, '/crypto/sign')).toBe('Deine Anfrage an dich selbst: Daten signieren lassen.')
  })
})

// Each is told after a colon and ends the sentence, so no clause may follow its verb.
test('in German, the words of every command end in their verb', async () => {
  await inGerman(() => {
    for (const command of COMMANDS) expect(commandWords(command)).toMatch(/^[^,;()]+ \S+n$/)
  })
})
