/** Ports of this machine that no one listens at. */
export function freePorts(count: number): Promise<number[]>
