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
  ])('%s does', (command) => expect(spendsOrSends(command)).toBe(true))

  it.each([
    ...['/notes/read', '/msg/read', '/crud/update', '/file/write', '/crypto/sign', '/http/get'],
    ...['/display/paint', '/payload/check', '/calendar', '/tips', '/context'],
  ])('%s does not', (command) => expect(spendsOrSends(command)).toBe(false))
})
