/** How many ids one block tells of. */
const blockSize = 8192
const wordsPerBlock = blockSize / 32
const bytesPerBlock = blockSize / 8

/** One bit for each id of a block. */
export type Bits = Uint32Array

/** The number of the block that tells of an id. */
export const blockOf = (id: number): number => Math.floor(id / blockSize)

/** A block without ids. */
export const noBits = (): Bits => new Uint32Array(wordsPerBlock)

/** Puts an id into its block, or takes it out. */
export function setBit(bits: Bits, id: number, isIn: boolean): void {
  const place = id % blockSize
  const mask = 1 << (place & 31)
  const word = bits[place >>> 5] ?? 0
  bits[place >>> 5] = isIn ? word | mask : word & ~mask
}

function countOf(bits: Bits): number {
  let count = 0
  for (const word of bits) {
    let rest = word - ((word >>> 1) & 0x55555555)
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

function placesOf(bits: Bits): number[] {
  const places: number[] = []
  for (const [at, word] of bits.entries()) {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      places.push(32 * at + 31 - Math.clz32(rest & -rest))
    }
  }
  return places
}

/** Writes a block as text: the places of its ids while they are few, else all its bits. */
export function encodeBits(bits: Bits): string {
  const few = 2 * countOf(bits) < bytesPerBlock
  const bytes = few ? Uint16Array.from(placesOf(bits)) : bits
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Reads a block that `encodeBits` has written. */
export function decodeBits(text: string): Bits {
  // A copy, because a buffer of the pool may begin anywhere.
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  if (bytes.byteLength === bytesPerBlock) return new Uint32Array(bytes.buffer)
  const bits = noBits()
  for (const place of new Uint16Array(bytes.buffer)) setBit(bits, place, true)
  return bits
}

interface Block {
  readonly number: number
  readonly bits: Bits
  readonly size: number
}

/** From where on, in which direction, and how many ids of a set are wanted. */
export interface IdRange {
  readonly order: 'asc' | 'desc'
  readonly skip: number
  /** Only those that come after this one. */
  readonly after?: number | undefined
  readonly count: number
}

/** A set of ids that is small for its size: a bit for each id there could be. */
export class IdSet {
  readonly #blocks: readonly Block[]
  /** How many ids are in it. */
  readonly size: number

  constructor(blocks: ReadonlyMap<number, Bits>) {
    this.#blocks = Array.from(blocks, ([number, bits]) => ({ number, bits, size: countOf(bits) }))
      .filter(({ size }) => size > 0)
      .sort((one, other) => one.number - other.number)
    this.size = this.#blocks.reduce((sum, { size }) => sum + size, 0)
  }

  /** Some of the ids, in order; blocks before the first of them are skipped whole. */
  take({ order, skip, after, count }: IdRange): number[] {
    const taken: number[] = []
    let left = skip
    for (const block of order === 'asc' ? this.#blocks : this.#blocks.toReversed()) {
      if (taken.length >= count) break
      const ids = after === undefined && block.size <= left ? [] : idsOf(block, order, after)
      const skipped = after === undefined ? Math.min(left, block.size) : 0
      left -= skipped
      taken.push(...ids.slice(skipped, skipped + count - taken.length))
    }
    return taken
  }

  /** Seven ids to a byte, from 0 on, the smallest in the lowest bit: what a statement looks an id up in. */
  packed(): Uint8Array {
    const length = (this.#blocks.at(-1)?.number ?? -1) + 1
    // One word more, so that the last byte may reach beyond the last block.
    const words = new Uint32Array(length * wordsPerBlock + 1)
    for (const { number, bits } of this.#blocks) words.set(bits, number * wordsPerBlock)
    return inSevens(words, Math.ceil((length * blockSize) / 7))
  }

  /** All the ids, from the smallest on. */
  all(): number[] {
    return this.take({ order: 'asc', skip: 0, count: this.size })
  }
}

function inSevens(words: Uint32Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0, place = 0; at < length; at += 1, place += 7) {
    const [first, shift] = [place >>> 5, place & 31]
    // Of a shift by 32 only the lowest five bits would count, hence two.
    const above = ((words[first + 1] ?? 0) << 1) << (31 - shift)
    bytes[at] = (((words[first] ?? 0) >>> shift) | above) & 0x7f
  }
  return bytes
}

function idsOf({ number, bits }: Block, order: 'asc' | 'desc', after?: number): number[] {
  const start = number * blockSize
  if (after !== undefined) {
    const isBefore = order === 'asc' ? start + blockSize <= after : start > after
    if (isBefore) return []
  }
  const ids = placesOf(bits).map((place) => start + place)
  const inOrder = order === 'asc' ? ids : ids.reverse()
  if (after === undefined) return inOrder
  return inOrder.filter((id) => (order === 'asc' ? id > after : id < after))
}
