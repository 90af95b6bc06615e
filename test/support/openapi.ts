import type { OpenApiDocument } from '#http/openapi/document.ts'

/** An object of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>

/** Returns the value at a JSON pointer (RFC 6901) such as `/paths`, or undefined. */
export const getByPointer = (document: OpenApiDocument, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Node | undefined)?.[name], document)

/** Resolves the `$ref` of a node; members beside the `$ref` take precedence. */
export function resolve(document: OpenApiDocument, node: unknown): Node {
  const { $ref, ...beside } = (node ?? {}) as Node
  if (typeof $ref !== 'string') return beside
  return { ...resolve(document, getByPointer(document, $ref.slice(1))), ...beside }
}
