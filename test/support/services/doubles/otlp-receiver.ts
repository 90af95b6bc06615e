import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span, as it was received. */
export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** 2 for a server, 3 for a client. */
  readonly kind: number
  /** 2 for an error. */
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A collector of traces on 127.0.0.1. */
export interface OtlpReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** All bytes that it got, as text, in which strings of the messages are readable. */
  readonly text: () => string
  /** How it answers; with 200 and an empty message at first. */
  respond: (response: ServerResponse) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver of OTLP by http/protobuf. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    bodies.push(body)
    if (
      request.url === '/v1/traces' &&
      request.headers['content-type'] === 'application/x-protobuf'
    )
      spans.push(...decodeSpans(body))
    receiver.respond(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => Buffer.concat(bodies).toString('latin1'),
    respond: (response) => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** The values of a protobuf message by field number: numbers, or bytes of strings and messages. */
type Fields = ReadonlyMap<number, readonly (Buffer | number)[]>

function decodeFields(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | number)[]>()
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at)
      at += 1
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }
  const bytes = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const key = varint()
    const wireType = key % 8
    const value =
      wireType === 0 ? varint() : bytes(wireType === 2 ? varint() : wireType === 1 ? 8 : 4)
    const number = Math.floor(key / 8)
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

const messages = (fields: Fields, number: number): readonly Fields[] =>
  (fields.get(number) ?? []).map((value) => decodeFields(value as Buffer))
const bytesOf = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
const textOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString()
const numberOf = (fields: Fields, number: number): number => Number(fields.get(number)?.[0] ?? 0)

/** Decodes an ExportTraceServiceRequest of opentelemetry/proto/collector/trace/v1. */
function decodeSpans(body: Buffer): readonly ReceivedSpan[] {
  return messages(decodeFields(body), 1).flatMap((resourceSpans) => {
    const [resource = new Map()] = messages(resourceSpans, 1)
    const service = String(decodeAttributes(resource, 1)['service.name'])
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => decodeSpan(span, service))
  })
}

const decodeSpan = (span: Fields, service: string): ReceivedSpan => ({
  service,
  traceId: bytesOf(span, 1).toString('hex'),
  spanId: bytesOf(span, 2).toString('hex'),
  parentSpanId: bytesOf(span, 4).toString('hex'),
  name: textOf(span, 5),
  kind: numberOf(span, 6),
  status: numberOf(messages(span, 15)[0] ?? new Map(), 3),
  attributes: decodeAttributes(span, 9),
})

const decodeAttributes = (fields: Fields, number: number): Record<string, unknown> =>
  Object.fromEntries(
    messages(fields, number).map((entry) => {
      const [value = new Map()] = messages(entry, 2)
      return [textOf(entry, 1), decodeValue(value)]
    }),
  )

function decodeValue(value: Fields): unknown {
  const [list] = messages(value, 5)
  if (list) return messages(list, 1).map(decodeValue)
  return value.has(1) ? textOf(value, 1) : numberOf(value, 3)
}
