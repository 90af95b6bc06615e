/** Writes one value of ASN.1 in the distinguished encoding (X.690 8.1, 10.1). */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(count: number): readonly number[] {
  if (count < 0x80) return [count]
  const bytes: number[] = []
  for (let left = count; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return [0x80 + bytes.length, ...bytes]
}

/** A SEQUENCE of values. */
export const sequence = (...values: readonly Uint8Array[]): Buffer => der(0x30, ...values)

/** A SET of one value. */
export const setOf = (value: Uint8Array): Buffer => der(0x31, value)

/** An OBJECT IDENTIFIER, written as in `2.5.29.17` (X.690 8.19). */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inSevens)]))
}

/** A number in groups of seven bits, of which all but the last say that another follows. */
function inSevens(value: number): readonly number[] {
  const groups = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) {
    groups.unshift(0x80 + (left % 128))
  }
  return groups
}

/** An INTEGER of these bytes, which begin with a number from 1 to 127. */
export const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes)

/** TRUE. */
export const truth: Buffer = der(0x01, Buffer.from([0xff]))

/** A BIT STRING of whole bytes, but for `unused` bits at its end. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer =>
  der(0x03, Buffer.from([unused]), bytes)

/** An OCTET STRING. */
export const octetString = (bytes: Uint8Array): Buffer => der(0x04, bytes)

/** A UTF8String. */
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text))

/** A value under a tag of the context: constructed, as for EXPLICIT ones. */
export const tagged = (number: number, value: Uint8Array): Buffer => der(0xa0 + number, value)

/** Bytes under a tag of the context: primitive, as for IMPLICIT ones. */
export const taggedBytes = (number: number, bytes: Uint8Array): Buffer => der(0x80 + number, bytes)

/** A moment as RFC 5280 4.1.2.5 wants it: two digits of the year until 2049, four after. */
export function moment(instant: number): Buffer {
  const digits = `${new Date(instant).toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  const isLate = Number(digits.slice(0, 4)) >= 2050
  return isLate ? der(0x18, Buffer.from(digits)) : der(0x17, Buffer.from(digits.slice(2)))
}
