import type { ContractApp, RequestSpec } from './setup/contract-app.ts'

/** Sends every request to `/v2`, with the body in the shapes of version 2. */
export const inVersion2 = (contract: ContractApp): ContractApp => ({
  ...contract,
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
  ...['price', 'amount', 'expected_total', 'free_from', 'minimum_subtotal', 'value'],
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
