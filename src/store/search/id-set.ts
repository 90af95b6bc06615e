/** The number of ids per block. */
export const blockSize = 8192
const wordsPerBlock = blockSize / 32
const bytesPerBlock = blockSize / 8

/** A bit for each id of a block, in 32-bit words. */
export type Bits = Uint32Array

/** The number of the block of an id. */
export const blockOf = (id: number): number => Math.floor(id / blockSize)

/** The bits of a block without ids. */
export const emptyBits = (): Bits => new Uint32Array(wordsPerBlock)

/** Adds an id to its block, or removes it. */
export function setBit(bits: Bits, id: number, isMember: boolean): void {
  const position = id % blockSize
  const mask = 1 << (position & 31)
  const word = bits[position >>> 5] ?? 0
  bits[position >>> 5] = isMember ? word | mask : word & ~mask
}

/** Some ids by the numbers of their blocks. */
export function bitsOf(ids: readonly number[]): ReadonlyMap<number, Bits> {
  const blocks = new Map<number, Bits>()
  for (const id of ids) {
    const bits = blocks.get(blockOf(id)) ?? emptyBits()
    setBit(bits, id, true)
    blocks.set(blockOf(id), bits)
  }
  return blocks
}

// Loops, since `map` takes ten times as long.

export function unite(bits: Bits, others: Bits): Bits {
  const united = new Uint32Array(wordsPerBlock)
  for (let at = 0; at < wordsPerBlock; at += 1) united[at] = (bits[at] ?? 0) | (others[at] ?? 0)
  return united
}

export function intersect(bits: Bits, others: Bits): Bits {
  const common = new Uint32Array(wordsPerBlock)
  for (let at = 0; at < wordsPerBlock; at += 1) common[at] = (bits[at] ?? 0) & (others[at] ?? 0)
  return common
}

/** The ids of the first block that are not in the other. */
export function subtract(bits: Bits, others: Bits): Bits {
  const rest = new Uint32Array(wordsPerBlock)
  for (let at = 0; at < wordsPerBlock; at += 1) rest[at] = (bits[at] ?? 0) & ~(others[at] ?? 0)
  return rest
}

export function isEmpty(bits: Bits): boolean {
  for (let at = 0; at < wordsPerBlock; at += 1) if (bits[at] !== 0) return false
  return true
}

function countBits(bits: Bits): number {
  let count = 0
  for (let at = 0; at < bits.length; at += 1) {
    const word = bits[at] ?? 0
    let rest = word - ((word >>> 1) & 0x55555555)
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

function setPositions(bits: Bits): number[] {
  const positions: number[] = []
  for (let at = 0; at < bits.length; at += 1) {
    for (let rest = bits[at] ?? 0; rest !== 0; rest &= rest - 1) {
      positions.push(32 * at + 31 - Math.clz32(rest & -rest))
    }
  }
  return positions
}

/** Encodes a block in Base64: the 16-bit positions of its ids or, where that is longer, its bits. */
export function encodeBits(bits: Bits): string {
  const isSparse = 2 * countBits(bits) < bytesPerBlock
  const array = isSparse ? Uint16Array.from(setPositions(bits)) : bits
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64')
}

/** Decodes what `encodeBits` returned, into `bits`, whatever these had before. */
export function decodeBits(text: string, bits: Bits = emptyBits()): Bits {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.byteLength === bytesPerBlock) {
    new Uint8Array(bits.buffer).set(bytes)
    return bits
  }
  bits.fill(0)
  for (let at = 0; at < bytes.byteLength; at += 2) setBit(bits, bytes.readUInt16LE(at), true)
  return bits
}

interface Block {
  readonly number: number
  readonly bits: Bits
  readonly size: number
}

/** A range of the ids of a set. */
export interface IdRange {
  readonly order: 'asc' | 'desc'
  readonly skip: number
  /** The id after which the range begins, in its order. */
  readonly after?: number | undefined
  readonly count: number
}

/** An immutable set of ids, stored as bits. */
export class IdSet {
  readonly #blocks: readonly Block[]
  readonly #byNumber: ReadonlyMap<number, Block>
  readonly size: number

  constructor(blocks: ReadonlyMap<number, Bits>) {
    this.#blocks = Array.from(blocks, ([number, bits]) => ({ number, bits, size: countBits(bits) }))
      .filter(({ size }) => size > 0)
      .sort((one, other) => one.number - other.number)
    this.#byNumber = new Map(this.#blocks.map((block) => [block.number, block]))
    this.size = this.#blocks.reduce((sum, { size }) => sum + size, 0)
  }

  /** The ids of a range; `skip` is ignored with `after`. */
  take({ order, skip, after, count }: IdRange): number[] {
    const taken: number[] = []
    let remainingSkip = skip
    for (const block of order === 'asc' ? this.#blocks : this.#blocks.toReversed()) {
      if (taken.length >= count) break
      const isSkipped = after === undefined && block.size <= remainingSkip
      const ids = isSkipped ? [] : idsOf(block, order, after)
      const skipped = after === undefined ? Math.min(remainingSkip, block.size) : 0
      remainingSkip -= skipped
      taken.push(...ids.slice(skipped, skipped + count - taken.length))
    }
    return taken
  }

  /** The numbers of the blocks that have ids, ascending. */
  get blocks(): readonly number[] {
    return this.#blocks.map(({ number }) => number)
  }

  /** The ids in the block of this number. */
  block(number: number): Bits {
    return this.#byNumber.get(number)?.bits ?? emptyBits()
  }

  /** A bit for each id from 0 on, eight to a byte, lowest bit first. */
  bytes(): Buffer {
    const { buffer } = this.#words(0)
    return Buffer.from(buffer)
  }

  /** A bit for each id from 0 on, seven to a byte, lowest bit first; every byte is an ASCII character. */
  packed(): Uint8Array {
    // The last byte may need bits beyond the last block.
    const words = this.#words(1)
    return packBySeven(words, Math.ceil((32 * (words.length - 1)) / 7))
  }

  /** The bits of all blocks from the first on, and more words. */
  #words(more: number): Uint32Array<ArrayBuffer> {
    const blockCount = (this.#blocks.at(-1)?.number ?? -1) + 1
    const words = new Uint32Array(blockCount * wordsPerBlock + more)
    for (const { number, bits } of this.#blocks) words.set(bits, number * wordsPerBlock)
    return words
  }

  /** All ids in ascending order. */
  all(): number[] {
    return this.take({ order: 'asc', skip: 0, count: this.size })
  }
}

function packBySeven(words: Uint32Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0, position = 0; at < length; at += 1, position += 7) {
    const [first, shift] = [position >>> 5, position & 31]
    // Two shifts, since a shift by 32 would be one by 0.
    const high = ((words[first + 1] ?? 0) << 1) << (31 - shift)
    bytes[at] = (((words[first] ?? 0) >>> shift) | high) & 0x7f
  }
  return bytes
}

function idsOf({ number, bits }: Block, order: 'asc' | 'desc', after?: number): number[] {
  const start = number * blockSize
  if (after !== undefined) {
    const isPassed = order === 'asc' ? start + blockSize <= after : start > after
    if (isPassed) return []
  }
  const ids = setPositions(bits).map((position) => start + position)
  const inOrder = order === 'asc' ? ids : ids.reverse()
  if (after === undefined) return inOrder
  return inOrder.filter((id) => (order === 'asc' ? id > after : id < after))
}
