export interface SiteWithRelay {
  /** With a slash at its end. */
  readonly url: string
  readonly relay: string
  close(): Promise<void>
}

export interface Sites extends SiteWithRelay {
  readonly servers: readonly string[]
  startNode(node: number): Promise<void>
  startRelay(at: number): Promise<void>
  /** @param name such as `relay 0` or `nats 2` */
  kill(name: string): Promise<void>
  /** The NATS server that leads the records, by its number. */
  leader(): Promise<number>
}

export function startSite(folder: string): Promise<SiteWithRelay>
export function startRelays(program: string, folder: string, count: number): Promise<Sites>
