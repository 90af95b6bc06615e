import { codecFor, type ValidatedExchange } from '#http/exchange/exchange.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem, type Problem } from '#values/problem.ts'
import {
  type LoadedIncludes,
  type Presenter,
  serializeEntities,
  serializeEntity,
  weightWithIncludes,
} from './presenter.ts'

/** The maximum size of the entities of a page, in bytes of JSON or, for such a response, of XML. */
export const maxResponseBytes = 4_000_000
/** A page of less weight is far smaller than that, and is written in one turn of the event loop. */
const maxWeightAtOnce = 500_000

/** The problem of a page that is too large: 400/4003, which names `limit`. */
export function tooLarge(
  key: 'query.embedded_rows' | 'query.response_bytes',
  limit: number,
): Problem {
  return fieldProblem([{ field: 'limit', message: createMessage(key, { limit }) }], '4003')
}

/**
 * Returns a function that returns the bodies of the entities of a page. Those of a large page are made
 * beforehand, in several turns of the event loop. Throws 400/4003 if they have more than 4 MB.
 */
export async function serializePage(
  presenter: Presenter,
  entities: readonly unknown[],
  exchange: ValidatedExchange,
  loaded?: LoadedIncludes,
): Promise<() => readonly object[]> {
  const weight = entities.reduce<number>(
    (sum, entity) => sum + weightWithIncludes(entity, loaded),
    0,
  )
  if (weight <= maxWeightAtOnce) {
    return () => entities.map((entity) => serializeEntity(presenter, entity, exchange, loaded))
  }
  const isXml = exchange.representation.format === 'xml'
  const { writeXml } = codecFor(exchange)
  const bodies: object[] = []
  let bytes = 0
  for await (const body of serializeEntities(presenter, entities, exchange, loaded)) {
    bodies.push(body)
    bytes += Buffer.byteLength(isXml ? writeXml({ data: [body] }) : JSON.stringify(body))
    if (bytes > maxResponseBytes) throw tooLarge('query.response_bytes', maxResponseBytes)
  }
  return () => bodies
}
