import type { TSchema } from 'typebox'
import type { Route } from '#http/declare/route.ts'
import type { Schema } from '#schema/keywords.ts'
import { largestBytesOf } from '#schema/largest-bytes.ts'

/** The largest body of any route, in bytes. */
export const maxBodyBytes = 1_048_576
/** The limit of a route whose bodies are small; leaves room for blanks and ignored fields. */
const minBodyBytes = 131_072

/**
 * Returns how many bytes a body of the route may have: what the largest one of its schema needs, from
 * 128 KiB to 1 MiB. Throws a TypeError for a schema with a text, list or map without a maximum.
 */
export function bodyLimitOf({
  method,
  path,
  body,
}: Pick<Route, 'method' | 'path' | 'body'>): number {
  if (!body) return minBodyBytes
  try {
    const bytes = largestBytesOf(body) + sentBackBytes(body)
    return Math.min(maxBodyBytes, Math.max(minBodyBytes, Math.ceil(bytes / 1024) * 1024))
  } catch (error) {
    throw new TypeError(`The body of ${method} ${path}: ${(error as Error).message}`)
  }
}

/** The size of the read-only fields, which a client may send back as it has read them. */
function sentBackBytes({ ignored = {} }: TSchema & Schema): number {
  try {
    return Object.values(ignored).reduce((sum, field) => sum + largestBytesOf(field), 0)
  } catch {
    // What a server returns need not have a maximum.
    return maxBodyBytes
  }
}
