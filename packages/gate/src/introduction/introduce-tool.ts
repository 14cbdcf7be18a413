// What a gate says of one tool, for a request that asks for it.
import type { Holder } from '@keyhole/holder'
import {
  INTRODUCE,
  INTRODUCTION,
  INTRODUCTION_LIFETIME,
  introductionText,
  type OfferedTool,
} from './introduction.ts'

/**
 * Longest introduction in a request, in characters. A vault takes three times as much, but agents pass such links on word by word.
 */
const LONGEST_IN_REQUEST = 2_048
/** Lengths of its JSON that are tried, and how much shorter each is. */
const [LONGEST, SHORTEST, LESS] = [8_192, 256, 0.8]
/** An introduction is signed again after a day, so that it has most of its week left. Milliseconds. */
const RENEWED = 86_400_000
/** Most introductions that are kept. */
const MOST_KEPT = 300

type DescribedKind = 'tools' | 'prompts'

/** Describes a tool or prompt of a server. Undefined if its schema has no room. */
export type IntroduceTool = (kind: DescribedKind, tool: OfferedTool) => Promise<string | undefined>

interface IntroduceToolOptions {
  /** What the server is called. */
  readonly server: string
  /** DID of the gate. */
  readonly gate: string
  /** Of the gate's own key. */
  readonly signer: Holder
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Signs an introduction of one tool, and keeps it until the tool changes. */
export function introduceTool({ server, gate, signer, clock }: IntroduceToolOptions): IntroduceTool {
  const kept = new Map<string, { readonly at: number; readonly text: Promise<string | undefined> }>()

  async function sign(kind: DescribedKind, tool: OfferedTool): Promise<string | undefined> {
    const at = Math.floor(clock() / 1_000)
    const offered = { tools: [], [kind]: [tool] }
    const said = { name: server, at, servers: [{ name: server, ...offered }], services: [] }
    for (let longest = LONGEST; longest >= SHORTEST; longest = Math.floor(longest * LESS)) {
      const introduction = textOf(said, longest)
      // Without a schema it says nothing that the request doesn't.
      if (introduction === undefined || !introduction.includes('"schema":')) return undefined
      const options = { subject: gate, expiresIn: INTRODUCTION_LIFETIME }
      const { token } = await signer.invoke(INTRODUCE, { introduction }, options)
      const text = `${INTRODUCTION}${token}`
      if (text.length <= LONGEST_IN_REQUEST) return text
    }
    return undefined
  }

  return (kind, tool) => {
    const key = JSON.stringify([kind, tool])
    const before = kept.get(key)
    if (before && clock() - before.at < RENEWED) return before.text
    if (kept.size >= MOST_KEPT) kept.clear()
    const text = sign(kind, tool)
    kept.set(key, { at: clock(), text })
    // A failure is told to this caller alone: the next one tries again.
    text.catch(() => kept.delete(key))
    return text
  }
}

function textOf(said: Parameters<typeof introductionText>[0], longest: number): string | undefined {
  try {
    return introductionText(said, longest)
  } catch {
    return undefined
  }
}
