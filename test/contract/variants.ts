import type { Asked, Watched } from './setup/watched-app.ts'

/** The same requests in version 2: under its path, with bodies in its shapes. */
export const inVersion2 = (watched: Watched): Watched => ({
  ...watched,
  ask: (asked) =>
    watched.ask({
      ...asked,
      // Links and Location lead on in the version that they were told in.
      url: asked.url.startsWith('/v2/') ? asked.url : `/v2${asked.url}`,
      ...(asked.json === undefined ? {} : { json: inShapesOf2(asked.json) }),
      ...(asked.payload === undefined ? {} : { payload: rewritten(asked.payload) }),
    }),
})

/** The same requests for answers in XML. */
export const inXml = (watched: Watched): Watched => ({
  ...watched,
  ask: (asked: Asked) =>
    watched.ask({ ...asked, headers: { accept: 'application/xml', ...asked.headers } }),
})

const amounts = ['price', 'amount', 'expected_total']

function inShapesOf2(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([name, value]) => {
    if (amounts.includes(name) && typeof value === 'number') {
      return [name, { amount: value.toFixed(2), currency: 'USD' }]
    }
    return name === 'availability' && typeof value === 'string'
      ? [name, { status: value }]
      : [name, value]
  })
  return Object.fromEntries(entries)
}

/** The text of a body in the shapes of version 2, where it is a body at all. */
function rewritten(payload: string): string {
  try {
    const ending = payload.slice(payload.trimEnd().length)
    return JSON.stringify(inShapesOf2(JSON.parse(payload))) + ending
  } catch {
    return payload
  }
}
