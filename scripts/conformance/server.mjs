// An MCP server that has what the conformance suite asks for, over stdio: `node scripts/conformance/server.mjs`.
import { pathToFileURL } from 'node:url'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const ANY = z.looseObject({})
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (/** @type {string} */ said) => ({ type: 'text', text: said })
const image = { type: 'image', data: IMAGE, mimeType: 'image/png' }
const embedded = (uri, mimeType, said) => ({ type: 'resource', resource: { uri, mimeType, text: said } })
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/** Asks the client, and says what it answered. */
async function asked(mcpReq, method, params, say) {
  try {
    return [text(say(await mcpReq.send({ method, params })))]
  } catch (error) {
    return [text(`Not answered: ${error.message}`)]
  }
}
const elicit = (mcpReq, message, properties, required = []) =>
  asked(
    mcpReq,
    'elicitation/create',
    { message, requestedSchema: { type: 'object', properties, required } },
    ({ action, content }) =>
      `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`,
  )

const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
]
const OPTIONS = ['option1', 'option2', 'option3']

/** Each tool: its schema, and what it does. */
const TOOLS = {
  test_simple_text: [{}, () => [text('This is a simple text response for testing.')]],
  test_image_content: [{}, () => [image]],
  test_audio_content: [{}, () => [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }]],
  test_embedded_resource: [
    {},
    () => [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  ],
  test_multiple_content_types: [
    {},
    () => [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  ],
  test_tool_with_logging: [
    {},
    async (_args, { log }) => {
      for (const step of ['started', 'processing data', 'completed']) {
        await log('info', `Tool execution ${step}`)
        await pause()
      }
      return [text('Done.')]
    },
  ],
  test_tool_with_progress: [
    {},
    async (_args, { notify, _meta }) => {
      const progressToken = _meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
        await pause()
      }
      return [text(String(progressToken))]
    },
  ],
  test_error_handling: [
    {},
    () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  ],
  test_reconnection: [
    {},
    async (_args, _request, http) => {
      http?.closeSSE?.()
      await pause()
      return [text('Done.')]
    },
  ],
  test_sampling: [
    { prompt: { type: 'string' } },
    ({ prompt }, mcpReq) =>
      asked(
        mcpReq,
        'sampling/createMessage',
        { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 },
        ({ content }) => `LLM response: ${content.text}`,
      ),
  ],
  test_elicitation: [
    { message: { type: 'string' } },
    ({ message }, mcpReq) =>
      elicit(mcpReq, message, { username: { type: 'string' }, email: { type: 'string', format: 'email' } }, [
        'username',
        'email',
      ]),
  ],
  test_elicitation_sep1034_defaults: [
    {},
    (_args, mcpReq) =>
      elicit(mcpReq, 'Defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  ],
  test_elicitation_sep1330_enums: [
    {},
    (_args, mcpReq) =>
      elicit(mcpReq, 'Enums', {
        untitledSingle: { type: 'string', enum: OPTIONS },
        titledSingle: { type: 'string', oneOf: TITLED },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
        titledMulti: { type: 'array', items: { anyOf: TITLED } },
      }),
  ],
  json_schema_2020_12_tool: [{}, (args) => [text(JSON.stringify(args))]],
}
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const RESOURCES = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: IMAGE },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
}

const argument = (/** @type {string} */ name) => ({ name, description: name, required: true })
const PROMPTS = {
  test_simple_prompt: [[], () => [text('This is a simple prompt for testing.')]],
  test_prompt_with_arguments: [
    [argument('arg1'), argument('arg2')],
    ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  ],
  test_prompt_with_embedded_resource: [
    [argument('resourceUri')],
    ({ resourceUri }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process it.'),
    ],
  ],
  test_prompt_with_image: [[], () => [image, text('Please analyze the image above.')]],
}

/** Makes the server, for one connection. */
export function conformanceServer() {
  const server = new Server(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
    },
  )
  const answer = (method, handler) => server.setRequestHandler(method, { params: ANY }, handler)
  answer('tools/list', () => ({
    tools: Object.entries(TOOLS).map(([name, [properties]]) => ({
      name,
      description: `Tests ${name}`,
      inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA_2020_12 : { type: 'object', properties },
    })),
  }))
  answer('tools/call', async ({ name, arguments: args = {} }, { mcpReq, http }) => {
    const [, act] = TOOLS[name] ?? [undefined, () => [text('There is no such tool.')]]
    try {
      return { content: await act(args, mcpReq, http) }
    } catch (error) {
      return { content: [text(error.message)], isError: true }
    }
  })
  answer('resources/list', () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri.slice(7),
      mimeType,
    })),
  }))
  answer('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
    ],
  }))
  answer('resources/read', ({ uri }) => {
    const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
    const found = id
      ? {
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        }
      : RESOURCES[uri]
    return { contents: found ? [{ uri, ...found }] : [] }
  })
  answer('resources/subscribe', () => ({}))
  answer('resources/unsubscribe', () => ({}))
  answer('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, [args]]) => ({
      name,
      description: `Tests ${name}`,
      arguments: args,
    })),
  }))
  answer('prompts/get', ({ name, arguments: args = {} }) => ({
    messages: PROMPTS[name][1](args).map((content) => ({ role: 'user', content })),
  }))
  answer('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) serveStdio(conformanceServer)
