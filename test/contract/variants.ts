import { routesOfVersion } from '#http/codec/version-transform.ts'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { ContractApp, RequestSpec } from './setup/contract-app.ts'

/** Whether the representation or the body of a route is another one in version 2. */
export function differsInVersion2(route: Route): boolean {
  const schemasOf = ({ resource, body }: Route) => {
    const definition = definitionOf(resource)
    return ['schema' in definition && definition.schema, body]
  }
  const [other = route] = routesOfVersion(2, [route])
  return JSON.stringify(schemasOf(route)) !== JSON.stringify(schemasOf(other))
}

/**
 * Sends every request to `/v2`, with the body in the shapes of version 2. Its routes are those that
 * differ from version 1.
 */
export const inVersion2 = (contract: ContractApp): ContractApp => ({
  ...contract,
  routes: contract.routes.filter(differsInVersion2),
  send: (spec) => {
    if (spec.url.startsWith('/v1/')) return contract.send(spec)
    return contract.send({
      ...spec,
      // Links and Location already carry the version.
      url: spec.url.startsWith('/v2/') ? spec.url : `/v2${spec.url}`,
      ...(spec.json === undefined ? {} : { json: toVersion2(spec.json) }),
      ...(spec.payload === undefined
        ? {}
        : {
            payload: typeof spec.payload === 'string' ? rewritePayload(spec.payload) : spec.payload,
          }),
    })
  },
})

/** Sends every request with `Accept: application/xml`. */
export const inXml = (contract: ContractApp): ContractApp => ({
  ...contract,
  send: (spec: RequestSpec) =>
    contract.send({ ...spec, headers: { accept: 'application/xml', ...spec.headers } }),
})

const amountFields = [
  ...[
    'price',
    'compare_at_price',
    'cost_price',
    'amount',
    'expected_total',
    'free_from',
    'minimum_subtotal',
    'value',
  ],
]

function toVersion2(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([name, value]) => {
    if (amountFields.includes(name) && typeof value === 'number') {
      return [name, { amount: value.toFixed(2), currency: 'USD' }]
    }
    return name === 'availability' && typeof value === 'string'
      ? [name, { status: value }]
      : [name, value]
  })
  return Object.fromEntries(entries)
}

/** Converts a payload to the shapes of version 2; one that is not JSON stays as it is. */
function rewritePayload(payload: string): string {
  try {
    const ending = payload.slice(payload.trimEnd().length)
    return JSON.stringify(toVersion2(JSON.parse(payload))) + ending
  } catch {
    return payload
  }
}
