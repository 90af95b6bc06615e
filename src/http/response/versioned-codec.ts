import { compileBody } from '#http/codec/body-reader.ts'
import { routesOfVersion } from '#http/codec/version-transform.ts'
import { compileXmlReader } from '#http/codec/xml/reader.ts'
import type { Route } from '#http/declare/route.ts'
import { xmlBodyOf } from '#http/exchange/api-key-location.ts'
import type { VersionCodec, VersionCodecs } from '#http/exchange/exchange.ts'
import { versions } from '#http/message/api-versions.ts'
import { compileRepresentations, type RepresentationOptions } from './representation.ts'
import { compileVariesByOwner } from './varies-by-owner.ts'
import { compileXmlWriters, xmlRootName } from './xml-documents.ts'

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

function xmlReaderOf(route: Route) {
  const root = xmlRootName(route)
  const body = xmlBodyOf(route) ?? {}
  return compileXmlReader(body, root, { onlyRoot: true, takesList: route.many !== undefined })
}

function lazy<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined
  return () => {
    cached ??= { value: create() }
    return cached.value
  }
}
