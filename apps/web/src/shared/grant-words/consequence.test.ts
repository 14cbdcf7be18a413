import { describe, expect, it } from 'vitest'
import { spendsOrSends } from './consequence.ts'

describe('spendsOrSends', () => {
  it.each([
    ...[
      '/',
      '/payment',
      '/payment/authorize',
      '/payment/request',
      '/msg',
      '/msg/send',
      '/mail',
      '/email/send',
    ],
    ...[
      '/bank/transfer',
      '/wallet/send-transaction',
      '/shop/purchase',
      '/x/autopay',
      '/x/sendmail',
      '/http/post',
    ],
    ...[
      '/chat/reply',
      '/account/withdraw',
      '/token/swap',
      '/news/publish',
      '/x/e-mail',
      '/order/place',
      '/mail/read',
      '/payment/history',
    ],
    // Wider than a command that sends.
    ...['/http', '/mcp', '/mcp/tools', '/mcp/tools/call', '/mcp/tools/call/files'],
  ])('%s does', (command) => expect(spendsOrSends(command)).toBe(true))

  it.each([
    ...['/notes/read', '/msg/read', '/crud/update', '/file/write', '/crypto/sign', '/http/get'],
    ...['/httpd', '/mcp/resources', '/mcp/resources/read', '/mcp/prompts/get', '/mcp/toolsmith'],
    ...['/display/paint', '/payload/check', '/calendar', '/tips', '/context'],
  ])('%s does not', (command) => expect(spendsOrSends(command)).toBe(false))
})
