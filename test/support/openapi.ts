import type { OpenApi } from '#http/openapi/document.ts'

/** A part of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>

/** Returns what a JSON pointer such as `/paths` leads to; undefined where that is nothing. */
export const at = (document: OpenApi, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Node | undefined)?.[name], document)

/** Returns a node with its reference replaced by what that leads to; what stands beside it wins. */
export function resolve(document: OpenApi, node: unknown): Node {
  const { $ref, ...beside } = (node ?? {}) as Node
  if (typeof $ref !== 'string') return beside
  return { ...resolve(document, at(document, $ref.slice(1))), ...beside }
}
