// An MCP server that speaks while it carries out a call: logs, tells how far it is, asks. With its secret in all of it, if it has one.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const ANY = z.looseObject({})
const said = `hello ${process.env.SECRET ?? ''}`
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } })
const answerOf = (text) => ({ content: [{ type: 'text', text }] })
/** Calls of `wait` that are running, and what ends them. */
const waiting = []

serveStdio(() => {
  const server = new Server(
    { name: 'talking', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true }, logging: {}, completions: {} } },
  )
  const answer = (method, act) => server.setRequestHandler(method, { params: ANY }, act)
  answer('tools/list', () => ({ tools: ['log', 'steps', 'ask', 'wait', 'waiting', 'change'].map(tool) }))
  answer('resources/list', () => ({ resources: [] }))
  answer('resources/subscribe', () => ({}))
  answer('resources/unsubscribe', () => ({}))
  answer('completion/complete', () => {
    process.stderr.write('completed\n')
    return { completion: { values: ['from the server'] } }
  })
  answer('tools/call', async ({ name }, { mcpReq }) => {
    if (name === 'log') await mcpReq.log('info', { said })
    if (name === 'steps') {
      const progressToken = mcpReq._meta?.progressToken ?? 'none'
      const params = { progressToken, progress: 1, total: 2, message: said }
      await mcpReq.notify({ method: 'notifications/progress', params })
      // The SDK's client drops a step that comes together with the answer.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    if (name === 'wait') await new Promise((resolve) => waiting.push(resolve))
    if (name === 'waiting') return answerOf(String(waiting.length))
    if (name === 'change')
      for (const uri of ['test://mine', 'test://other']) await server.sendResourceUpdated({ uri })
    if (name !== 'ask') return answerOf(name)
    for (const end of waiting.splice(0)) end()
    const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } }
    return await mcpReq
      .send({ method: 'elicitation/create', params: { message: said, requestedSchema } })
      .then(
        ({ action, content }) => answerOf(JSON.stringify([action, content])),
        () => answerOf('no answer'),
      )
  })
  return server
})
