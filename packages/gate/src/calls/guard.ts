// What every call goes through, whatever carries it out: one check, one at a time of so many, and a line in the log.
import type { Authorized, Verifier } from '@keyhole/verify'
import { CallRefused, refuseCall } from '../errors.ts'
import type { Meter } from '../metrics/meter.ts'
import type { ReceiptLog } from '../receipts/receipt-log.ts'
import type { RefusedCalls } from '../refusals/refused-calls.ts'
import type { Redactor } from '../secrets/redactor.ts'
import type { LastCall } from '../uses/use.ts'
import type { UseCounter } from '../uses/use-counter.ts'
import type { Recheck } from './recheck.ts'
import { undecided } from './undecided.ts'

export interface GuardParts {
  readonly verifier: Verifier
  /** Checks a call again when all of it has arrived. */
  readonly recheck: Recheck
  readonly redactor: Redactor
  readonly log: ReceiptLog
  /** Lets a call through that was checked, or refuses it. */
  readonly rules: { admit(call: Authorized): Promise<void> }
  readonly meter: Meter
  /** Takes note of calls whose invocation was refused. */
  readonly refusals: Pick<RefusedCalls, 'note'>
  /** Counts what is reported to the owners. */
  readonly uses: Pick<UseCounter, 'called'>
  /** Called with what went wrong inside the gate. It has no secret in it. */
  readonly onError: (error: unknown) => void
  readonly clock: () => number
}

export interface GuardOptions extends GuardParts {
  /** The server's or service's name. */
  readonly name: string
  /** Calls at a time. */
  readonly concurrency: number
}

/** How a call went. */
export interface Carried<Answer> {
  readonly answer: Answer
  readonly outcome: 'ok' | 'error'
}

/** How calls are carried out. */
export interface Carrier<Request, Answer> {
  /** What a call asks for. @throws CallRefused if it can't be carried out */
  request(grant: Authorized): Request | Promise<Request>
  /** What is called, for the log. */
  name(request: Request): string
  /**
   * Receives what is sent beside a call that is allowed; undefined if there is nothing. The grants are checked again after that.
   *
   * @throws CallRefused
   */
  receive?(request: Request): Promise<Request> | undefined
  carryOut(request: Request): Promise<Carried<Answer>>
}

export interface Guard {
  /**
   * Checks a call and uses it up, has it carried out, and writes it down.
   *
   * @param address IP address of the caller, if there is one
   * @throws CallRefused
   */
  run<Request, Answer>(
    token: string,
    carrier: Carrier<Request, Answer>,
    address: string | undefined,
  ): Promise<Answer>
}

/** Guards the calls of one server or service. */
export function createGuard(options: GuardOptions): Guard {
  const { name, concurrency, verifier, recheck, redactor, log, rules, meter } = options
  const { refusals, uses, onError, clock } = options
  let running = 0
  /** @throws CallRefused always */
  const noDecision = (error: unknown): never => undecided(error, onError)

  /** @param start called for a call that is allowed, before it is used up. What it throws refuses the call */
  async function check(token: string, address: string | undefined, start: () => void): Promise<Authorized> {
    try {
      const compare = () => {
        start()
        return undefined
      }
      const verdict = await verifier.check(token, { compare }, { address })
      if (verdict.authorized) return verdict
      const { refusal, missing } = verdict
      refusals.note(token, name, refusal)
      return refuseCall(refusal.name, refusal.message, { missing })
    } catch (error) {
      return noDecision(error)
    }
  }

  async function writeDown(grant: Authorized, call: LastCall): Promise<void> {
    const { subject, issuer, cid, task, chain } = grant
    const { at, command, outcome } = call
    await log.append({
      at: new Date(at).toISOString(),
      server: name,
      command,
      name: call.name,
      issuer,
      subject,
      call: cid,
      task,
      grants: chain.map((link) => link.cid),
      outcome,
    })
  }

  async function carryOut<Request, Answer>(
    token: string,
    carrier: Carrier<Request, Answer>,
    address: string | undefined,
    start: () => void,
  ): Promise<Carried<Answer>> {
    const grant = await check(token, address, start)
    let what = ''
    let outcome: string = 'Unavailable'
    let wasSent = false
    try {
      let request = await carrier.request(grant)
      what = carrier.name(request)
      await rules.admit(grant).catch(noDecision)
      const received = carrier.receive?.(request)
      if (received) {
        request = await received
        await recheck(token, grant).catch(noDecision)
      }
      wasSent = true
      const carried = await carrier.carryOut(request)
      outcome = carried.outcome
      return carried
    } catch (error) {
      if (error instanceof CallRefused) {
        outcome = error.code
        throw error
      }
      onError(error)
      return refuseCall('Unavailable', `${name} can't be reached. Try again later.`)
    } finally {
      // The call is over: a log that can't be written is the operator's to know of.
      const said = redactor.text(what).slice(0, 500)
      const call = { at: clock(), server: name, command: grant.command, name: said, outcome }
      uses.called(grant, token, call, wasSent)
      await writeDown(grant, call).catch(onError)
    }
  }

  return {
    async run(token, carrier, address) {
      const end = meter.start(name)
      let isRunning = false
      /** Only what may be carried out counts as running: anyone can send what has to be checked. */
      const start = () => {
        if (running >= concurrency)
          refuseCall('Busy', `${concurrency} calls of ${name} are running. Try again later.`)
        running += 1
        isRunning = true
      }
      try {
        const { answer, outcome } = await carryOut(token, carrier, address, start)
        end(outcome)
        return answer
      } catch (error) {
        end(error instanceof CallRefused ? error.code : 'Unavailable')
        throw error
      } finally {
        if (isRunning) running -= 1
      }
    },
  }
}
