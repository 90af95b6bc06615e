/** What a request has room for beside its first line and its credential. */
const room = 14_000

const repeated = (unit: string, separator = ', '): string =>
  Array.from({ length: Math.floor(room / (unit.length + separator.length)) }, (_, at) =>
    unit.replace('#', String(at % 10)),
  ).join(separator)

/** The largest values of the header fields that the server reads, by their lower-case name. */
export const largestHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: [
    repeated('application/vnd.a#+json;q=0.1'),
    repeated('a/*;q=0.#', ','),
    `application/json;${repeated('a="\\"#"', ';')}`,
    repeated('"', ''),
  ],
  'accept-language': [repeated('de-x-a#;q=0.1'), repeated('a', '-')],
  'accept-encoding': [repeated('x#;q=0.1'), repeated('*;q=0', ',')],
  authorization: [
    `Basic ${Buffer.from(`a:${'x'.repeat(room / 2)}`).toString('base64')}`,
    `Bearer ${'a'.repeat(room)}`,
    `Bearer ${'a'.repeat(room / 2)}.${'b'.repeat(room / 2 - 2)}.c`,
    `Digest ${repeated('a#="\\""')}`,
    `Api-Key ${'a'.repeat(room)}`,
  ],
  cookie: [repeated('a#=b', '; '), repeated(';', '')],
  'content-type': [`application/json;${repeated('a#=b', ';')}`, repeated(';', ' ')],
  forwarded: [repeated('for=192.0.2.#')],
  'idempotency-key': [`"${'k'.repeat(room)}"`],
  'if-match': [repeated('"tag-#"'), repeated('W/"', ''), repeated('"', ',')],
  'if-modified-since': [repeated('Mon, 01 Jun 2026 12:00:00 GMT')],
  'if-none-match': [
    repeated('"tag-#"'),
    repeated('W/"tag-#"'),
    repeated('"', ','),
    repeated('\\', ''),
  ],
  prefer: [repeated('return=minimal'), repeated('a#="b";c'), repeated(';', ' ')],
  range: [`bytes=${repeated('0-#')}`],
  traceparent: ['0'.repeat(room)],
  'x-forwarded-for': [repeated('192.0.2.#')],
  'x-request-id': ['r'.repeat(room)],
  origin: [`https://${'a'.repeat(room)}`],
}
