import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { opensPaymentWindows } from '../../../shared/browser/payment-windows.ts'
import { useAction } from '../../../shared/hooks/use-action.ts'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { Failure } from '../../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Facts } from '../../../shared/ui/layout/facts.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'
import { money } from '../../../shared/words/payment.ts'
import { NoVaultNotice } from '../engine/no-vault-notice.tsx'
import type { Sandbox } from '../engine/sandbox.ts'
import { CART, DemoShop, type ShopVerdict } from './demo-shop.ts'
import { ShopVerdictView } from './shop-verdict.tsx'

const KNOWS_HANDLERS = opensPaymentWindows()

const UNPAID = ['declined', 'timeout', 'aborted', 'refused', 'AbortError', 'NotSupportedError'] as const
/** Why a shop's request led to no payment: the vault's word, or the browser's. */
type Unpaid = (typeof UNPAID)[number]

function isUnpaid(word: unknown): word is Unpaid {
  return UNPAID.some((each) => each === word)
}

/** A shop that asks to be paid through the browser, as any shop would, and how it checks the answer. */
export function ShopPanel({ sandbox }: { sandbox: Sandbox }) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const [shop] = useState(() => new DemoShop(sandbox, location.origin))
  const [order, setOrder] = useState(() => shop.order())
  const [unpaid, setUnpaid] = useState<Unpaid>()
  const [token, setToken] = useState<string>()
  const [verdict, setVerdict] = useState<ShopVerdict>()
  const [again, setAgain] = useState<ShopVerdict>()

  const pay = useAction(async () => {
    setUnpaid(undefined)
    try {
      const answer = await new PaymentRequest(...shop.request(t`Tea and cake`)).show()
      const { status, token: given } = answer.details
      if (status === 'authorized' && typeof given === 'string') {
        setToken(given)
        setVerdict(await shop.collect({ methodName: answer.methodName, token: given }))
      } else setUnpaid(isUnpaid(status) ? status : 'refused')
      // "fail" would keep the browser's payment window open to show an error.
      await answer.complete('unknown')
    } catch (error) {
      const name: unknown = Reflect.get(Object(error), 'name')
      if (!isUnpaid(name)) throw error
      setUnpaid(name)
    }
  })
  const replay = useAction(async () => {
    if (token !== undefined) setAgain(await shop.collect({ methodName: shop.method, token }))
  })
  const next = () => {
    setOrder(shop.order())
    setToken(undefined)
    setVerdict(undefined)
    setAgain(undefined)
    setUnpaid(undefined)
  }

  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card
        title={t`A shop`}
        description={t`It asks like any shop on the web, with only the payment method’s address. The browser opens the vault’s own window, and you decide there.`}
      >
        <div className="flex flex-col items-start gap-4">
          <Facts
            facts={[
              [t`A pot of tea`, money(CART.tea, CART.currency)],
              [t`A slice of cake`, money(CART.cake, CART.currency)],
              [t`Total`, <strong key="total">{money(CART.total, CART.currency)}</strong>],
              [t`Order`, <code key="order">{order}</code>],
            ]}
          />
          <Notice title={t`Nothing is charged.`}>
            <Trans>
              What you approve is a signed text, and this shop only checks it. It’s in your history like any
              other payment.
            </Trans>
          </Notice>
          {KNOWS_HANDLERS ? null : (
            <Notice tone="warn" title={t`This browser opens no payment window.`}>
              <Trans>
                It doesn’t have the Payment Handler API. Chrome and Edge do. Mandates work in all of them, as
                their holder asks without a window.
              </Trans>
            </Notice>
          )}
          {KNOWS_HANDLERS && phase === 'empty' ? (
            <NoVaultNotice>
              <Trans>The window opens all the same, and can only decline.</Trans>
            </NoVaultNotice>
          ) : null}
          {token === undefined ? (
            <Button tone="primary" onClick={() => pay.run()} busy={pay.pending} disabled={!KNOWS_HANDLERS}>
              <Trans>Pay {money(CART.total, CART.currency)}</Trans>
            </Button>
          ) : (
            <Button onClick={next}>
              <Trans>Order again</Trans>
            </Button>
          )}
          <UnpaidNotice why={unpaid} />
          <Failure error={pay.error} />
        </div>
      </Card>
      <Card
        title={t`What the shop checks`}
        description={t`Offline, with the enclave alone: no server is asked, and the vault is not either.`}
      >
        <div className="flex flex-col items-start gap-4">
          {verdict === undefined ? (
            <p className="text-ink-soft">
              <Trans>There’s nothing to check yet.</Trans>
            </p>
          ) : (
            <ShopVerdictView verdict={verdict} />
          )}
          {token === undefined ? null : <CodeBlock label={t`authorisation`} text={token} />}
          {verdict?.paid ? (
            <>
              <Button onClick={() => replay.run()} busy={replay.pending}>
                <Trans>Show it to the shop again</Trans>
              </Button>
              {again === undefined ? null : <ShopVerdictView verdict={again} />}
              <Failure error={replay.error} />
              <p className="text-ink-soft text-sm">
                <Trans>
                  The shop signed a receipt. Add it in your{' '}
                  <Link to="/payment" search={{ tab: 'history' }} className="underline">
                    history
                  </Link>
                  : the vault checks that this shop signed it, and keeps it with the payment.
                </Trans>
              </p>
              <CodeBlock label={t`receipt`} text={verdict.receipt} />
            </>
          ) : null}
        </div>
      </Card>
    </div>
  )
}

function UnpaidNotice({ why }: { why: Unpaid | undefined }) {
  const { t } = useLingui()
  if (why === undefined) return null
  const title = {
    declined: t`It was declined.`,
    timeout: t`The time was over.`,
    aborted: t`The shop withdrew its request.`,
    refused: t`The vault refused the request.`,
    AbortError: t`The browser opened no window: another payment is open, or this one was closed.`,
    NotSupportedError: t`The browser did not find the payment method.`,
  }[why]
  return (
    <Notice tone="warn" title={title}>
      <Trans>Nothing was authorised.</Trans>
    </Notice>
  )
}
