export type Genes = Record<string, number>

export interface Shape {
  readonly genes: Readonly<Record<string, readonly [number, number]>>
  readonly dear?: Genes
  make(genes: Genes): { call: string; input: Record<string, unknown> }
}

export const SHAPES: Readonly<Record<string, Shape>>
export const NAMES: readonly string[]
export function drawing(seed: number): () => number
export function begin(shape: Shape, draw: () => number): Genes
export function change(shape: Shape, parent: Genes, draw: () => number): Genes
export function inputOf(shape: string, genes: Genes): { call: string; input: Record<string, unknown> }
