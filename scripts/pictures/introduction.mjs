// What a gate would write to introduce itself, for pictures of how the vault shows it.
import { introduce } from '../../packages/gate/dist/introduction/introduce.js'
import { createHolder, memoryStore } from '../../packages/holder/dist/index.js'

const TOOLS = [
  {
    name: 'read_text_file',
    description: 'Read the complete contents of a file from the file system as text.',
    paths: ['path'],
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, head: { type: 'number', description: 'Only the first lines' } },
      required: ['path'],
    },
  },
  {
    name: 'list_directory',
    description: 'List what is in a folder.',
    paths: ['path'],
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
]
const PROMPTS = [
  {
    name: 'weekly_summary',
    description: 'Sums up the notes of a week.',
    paths: [],
    schema: { type: 'object', properties: { week: { type: 'string' } }, required: ['week'] },
  },
]
const RESOURCES = [
  { uri: 'file:///home/me/notes/today.md', name: 'Today', description: 'The notes of today' },
]

/**
 * An introduction as text.
 * @param {string} vault address of the client
 * @param {string} name of the gate
 * @param {boolean} waits whether it waits for its owner's answer
 */
export async function introductionOf(vault, name, waits) {
  const holder = createHolder({ store: memoryStore() })
  const offers = async () => ({ tools: TOOLS, prompts: PROMPTS, resources: RESOURCES })
  const reply = { loopback: 'http://127.0.0.1:49152/8fJ2kQ0xW4nB7mZc' }
  const { text } = await introduce({
    ...{ did: await holder.did(), vault, holder, clock: Date.now, name, owners: [] },
    enclave: { call: () => Promise.reject(new Error('No answer is read here')) },
    servers: new Map([['files', { suggest: ['/home/me/notes/*'], offers }]]),
    services: new Map([['calendar', { name: 'calendar', methods: ['GET', 'POST'], paths: ['/events/*'] }]]),
    ...(waits && { reply: async () => ({ reply, receive: () => new Promise(() => {}) }) }),
  })
  return text
}
