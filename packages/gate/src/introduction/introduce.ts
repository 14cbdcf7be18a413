import type { Holder } from '@keyhole/holder'
import {
  INTRODUCE,
  INTRODUCTION,
  INTRODUCTION_LIFETIME,
  introductionText,
  type OfferedServer,
  type OfferedService,
  type OfferedTool,
} from './introduction.ts'

/** What a gate says of itself, beside what it offers. */
export interface IntroduceOptions {
  /** What it calls itself: 1 to 60 characters. The owner may call it otherwise. */
  readonly name: string
  /** Where agents reach it, if it is a process of its own. */
  readonly address?: string
}

/** An introduction, for the owner's vault. */
export interface Introduced {
  /** The text to paste. */
  readonly text: string
  /** The link that opens it in the vault. It stands after the `#`, so no server sees it. */
  readonly link: string
  /** Servers that gave no list of tools, and why: they are not in it. */
  readonly missing: ReadonlyMap<string, string>
}

interface Parts extends IntroduceOptions {
  readonly did: string
  readonly vault: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Of the gate's own key. */
  readonly holder: Holder
  readonly servers: ReadonlyMap<string, { offers(): Promise<readonly OfferedTool[]> }>
  readonly services: ReadonlyMap<string, OfferedService>
}

/** Signs what the gate is called and offers. It grants nothing, and asks for nothing. @throws GateError INVALID_CONFIG */
export async function introduce({
  did,
  vault,
  holder,
  clock,
  name,
  address,
  ...behind
}: Parts): Promise<Introduced> {
  const missing = new Map<string, string>()
  const offers = [...behind.servers].map(async ([server, guarded]): Promise<OfferedServer[]> => {
    try {
      return [{ name: server, tools: await guarded.offers() }]
    } catch (error) {
      missing.set(server, error instanceof Error ? error.message : String(error))
      return []
    }
  })
  const servers = (await Promise.all(offers)).flat()
  const services = [...behind.services.values()].map(({ name, methods, paths = [] }) => ({
    name,
    methods,
    paths,
  }))
  const introduction = introductionText({
    name,
    at: Math.floor(clock() / 1_000),
    ...(address !== undefined && { address }),
    servers,
    services,
  })
  const options = { subject: did, expiresIn: INTRODUCTION_LIFETIME }
  const { token } = await holder.invoke(INTRODUCE, { introduction }, options)
  const text = `${INTRODUCTION}${token}`
  const url = new URL('/identity?tab=contacts', vault)
  url.hash = text
  return { text, link: url.href, missing }
}
