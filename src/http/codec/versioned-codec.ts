import type { Route } from '#http/declare/route.ts'
import type { VersionCodec, VersionCodecs } from '#http/pipeline/exchange.ts'
import { xmlBodyOf } from '#http/pipeline/guards/api-key-location.ts'
import {
  compileRepresentations,
  type RepresentationOptions,
} from '#http/response/representation.ts'
import { compileVariesByOwner } from '#http/response/varies-by-owner.ts'
import { compileBody } from '#http/server/body/request-body.ts'
import { versions } from './api-versions.ts'
import { routesOfVersion } from './version-transform.ts'
import { compileXmlWriters, xmlRootName } from './xml/documents.ts'
import { compileXmlReader } from './xml/reader.ts'

/** Compiles the codecs of every route for all versions. */
export function compileVersionCodecs(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
): (route: Route) => VersionCodecs {
  const codecs = new Map<Route, (VersionCodec | undefined)[]>(routes.map((route) => [route, []]))
  const variesByOwner = compileVariesByOwner(routes)
  for (const version of versions) {
    const transformed = routesOfVersion(version, routes)
    const representationOf = compileRepresentations(transformed, representationOptions)
    // XML is rarely requested: compiled on first use.
    const xmlWriters = lazy(() => compileXmlWriters(transformed, representationOptions.linksField))
    for (const [index, route] of transformed.entries()) {
      const original = routes[index]
      const reader = lazy(() => xmlReaderOf(route))
      const codec: VersionCodec = {
        ...representationOf(route),
        variesByOwner: variesByOwner(route),
        readBody: compileBody(route, representationOptions),
        readXml: (text) => reader()(text),
        writeXml: (value) => xmlWriters()(route)?.(value) ?? '',
      }
      const codecsOfRoute = original && codecs.get(original)
      if (codecsOfRoute) codecsOfRoute[version] = codec
    }
  }
  return (route) => codecs.get(route) ?? []
}

const xmlReaderOf = (route: Route) =>
  compileXmlReader(xmlBodyOf(route) ?? {}, xmlRootName(route), { onlyRoot: true })

function lazy<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined
  return () => {
    cached ??= { value: create() }
    return cached.value
  }
}
