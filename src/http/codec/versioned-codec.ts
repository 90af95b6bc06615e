import type { Route } from '#http/declare/route.ts'
import type { VersionCodec, VersionCodecs } from '#http/pipeline/exchange.ts'
import { xmlBodyOf } from '#http/pipeline/guards/api-key-location.ts'
import { compilePresentation, type RepresentationOptions } from '#http/response/representation.ts'
import { compileBody } from '#http/server/request-body.ts'
import { routesIn } from './version-transform.ts'
import { versions } from './versions.ts'
import { compileXmlAnswers, rootOf } from './xml/documents.ts'
import { compileXmlReader } from './xml/reader.ts'

/** Compiles how routes look in every version. */
export function compileVersionCodecs(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
): (route: Route) => VersionCodecs {
  const codecs = new Map<Route, (VersionCodec | undefined)[]>(routes.map((route) => [route, []]))
  for (const version of versions) {
    const transformed = routesIn(version, routes)
    const represent = compilePresentation(transformed, representationOptions)
    // What few ask for is made when the first does.
    const answers = lazily(() => compileXmlAnswers(transformed, representationOptions.linksField))
    for (const [at, route] of transformed.entries()) {
      const own = routes[at]
      const reader = lazily(() => xmlReaderOf(route))
      const codec: VersionCodec = {
        represent: represent(route),
        readBody: compileBody(route, representationOptions),
        readXml: (text) => reader()(text),
        writeXml: (value) => answers()(route)?.(value) ?? '',
      }
      const kept = own && codecs.get(own)
      if (kept) kept[version] = codec
    }
  }
  return (route) => codecs.get(route) ?? []
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
