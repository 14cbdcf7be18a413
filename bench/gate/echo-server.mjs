// An MCP server that echoes.
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }
  server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'echo', inputSchema }] }))
  server.setRequestHandler('tools/call', async ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
  }))
  return server
})
