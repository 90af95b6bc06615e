import type { Route } from '#http/declare/operation.ts'
import type { Face, Faces } from '#http/pipeline/exchange.ts'
import { xmlBodyOf } from '#http/pipeline/guards/api-key-location.ts'
import { compilePresentation, type Dress } from '#http/response/representation.ts'
import { compileBody } from '#http/server/request-body.ts'
import { routesIn } from './version-transform.ts'
import { versions } from './versions.ts'
import { compileXmlAnswers, rootOf } from './xml/documents.ts'
import { compileXmlReader } from './xml/reader.ts'

/** Compiles how routes look in every version. */
export function compileFaces(routes: readonly Route[], dress: Dress): (route: Route) => Faces {
  const faces = new Map<Route, (Face | undefined)[]>(routes.map((route) => [route, []]))
  for (const version of versions) {
    const reshaped = routesIn(version, routes)
    const represent = compilePresentation(reshaped, dress)
    // What few ask for is made when the first does.
    const answers = lazily(() => compileXmlAnswers(reshaped, dress.linksField))
    for (const [at, route] of reshaped.entries()) {
      const own = routes[at]
      const reader = lazily(() => xmlReaderOf(route))
      const face: Face = {
        represent: represent(route),
        readBody: compileBody(route, dress),
        readXml: (text) => reader()(text),
        writeXml: (value) => answers()(route)?.(value) ?? '',
      }
      const kept = own && faces.get(own)
      if (kept) kept[version] = face
    }
  }
  return (route) => faces.get(route) ?? []
}

const xmlReaderOf = (route: Route) =>
  compileXmlReader(xmlBodyOf(route) ?? {}, rootOf(route), { onlyRoot: true })

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
