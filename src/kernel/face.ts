import { xmlBodyOf } from './api-key-places.ts'
import { compileBody } from './body.ts'
import type { Face, Faces } from './exchange.ts'
import { compilePresentation, type Dress } from './present.ts'
import { routesIn } from './reshape.ts'
import type { Route } from './verb.ts'
import { versions } from './versions.ts'
import { compileXmlReader } from './xml/read.ts'
import { compileXmlAnswers, rootOf } from './xml/told.ts'

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
