import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { beforeCommit } from '#store/changes.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { currentTransaction } from '#store/query/transaction-scope.ts'
import type { Tables } from '#store/tables.ts'
import { type EntryChange, EntryWriter, type IdChange } from './entry-store.ts'
import { blockOf, type IdSet } from './id-set.ts'
import { hasDigit } from './parts.ts'
import { stemsOf } from './stems.ts'
import { isEntry, prefixesOf, wordsByRank } from './words.ts'

type Db = Kysely<Tables>

/** The indexed texts of a product. */
export interface IndexedText {
  /** The value of `products.search_text`. */
  readonly search_text: string
  readonly category: string | null
  /** The parent of a variant. */
  readonly variant_of?: number | null
  /** True for a text that only a search with hidden ones finds. */
  readonly isHidden?: boolean
}

/** The texts of a product before and after a change; null while it is not in the catalogue. */
export interface WordChange {
  readonly id: number
  readonly before: IndexedText | null
  readonly after: IndexedText | null
}

/** Hidden texts are in blocks of their own, so that other searches neither read them nor know their words. */
const hiddenBlocks = 2 ** 20

/** The condition that a row of the index is not of hidden texts. */
export const isOfShownTexts = sql<SqlBool>`product_words.block < ${sql.lit(hiddenBlocks)}`

/** The block of the ids in a block of the index. */
export const blockOfIds = (block: number): number => block % hiddenBlocks

const categoryMark = '='

/** The index entry of a category, which no word equals. */
export const categoryEntry = (category: string): string => `${categoryMark}${category}`

/** The index entry of all variants. */
export const variantEntry = '@'

/** What stands in the index for a whole word: its stems, with a mark that no word has. */
export const wholeWords = (word: string): readonly string[] =>
  stemsOf(word).map((stem) => `${stem}.`)

/**
 * What stands in the index for a word: all its beginnings, and it as a whole. With a digit it is mostly a number
 * that one product has, so that each entry takes a row; these have no beginning that is the whole word.
 */
const keysOf = (word: string): readonly string[] => [
  ...prefixesOf(word).slice(0, hasDigit.test(word) ? -1 : undefined),
  ...wholeWords(word),
]

/** The entry of a whole word or a beginning at a rank. */
export const rankedEntry = (key: string, rank: number): string => `${rank}${key}`

/** The words of a product, each after its rank, and its other entries. */
function wordsOf(indexedText: IndexedText | null): ReadonlySet<string> {
  const words = new Set<string>()
  // Without words, a product is not in the index, nor is its category.
  if (indexedText === null || indexedText.search_text === '') return words
  const { search_text, category, variant_of = null } = indexedText
  if (category !== null) words.add(categoryEntry(category))
  if (variant_of !== null) words.add(variantEntry)
  for (const [rank, ofRank] of wordsByRank(search_text).entries()) {
    for (const word of ofRank) words.add(isEntry(word) ? word : rankedEntry(word, rank))
  }
  return words
}

/** The entries of a word after its rank, all of which begin with both its first characters. */
function entriesOf(ranked: string): readonly string[] {
  if (isEntry(ranked) || ranked.startsWith(categoryMark)) return [ranked]
  const [rank, word] = [ranked.slice(0, 1), ranked.slice(1)]
  return keysOf(word).map((key) => `${rank}${key}`)
}

type ChangesByWord = Map<string, MutableChange>
/** The changes of words by block. */
type ChangesByBlock = Map<number, ChangesByWord>

interface MutableChange {
  added: number[]
  removed: number[]
}

/** The number of words collected before their entries are written; bounds memory. */
const maxCollected = 10_000
/** The number of words whose entries, about ten each, are in memory at once. */
const maxExpanded = 1000

/** The changes of texts that are or become hidden, and of others. */
function* changesByVisibility(
  wordChanges: Iterable<WordChange>,
): Generator<WordChange & { readonly isHidden: boolean }> {
  const textIf = (text: IndexedText | null, isHidden: boolean) =>
    text !== null && (text.isHidden ?? false) === isHidden ? text : null
  for (const { id, before, after } of wordChanges) {
    for (const isHidden of [false, true]) {
      const change = { before: textIf(before, isHidden), after: textIf(after, isHidden) }
      if (change.before ?? change.after) yield { id, isHidden, ...change }
    }
  }
}

/** Collects the changes of words, and yields those of their entries in parts of about `maxExpanded` words. */
export function* entryChanges(
  wordChanges: Iterable<WordChange>,
): Generator<readonly EntryChange[]> {
  const blocks: ChangesByBlock = new Map()
  let collected = 0
  for (const { id, isHidden, before, after } of changesByVisibility(wordChanges)) {
    const [oldWords, newWords] = [wordsOf(before), wordsOf(after)]
    const block = blockOf(id) + (isHidden ? hiddenBlocks : 0)
    const words: ChangesByWord = blocks.get(block) ?? new Map()
    blocks.set(block, words)
    const sizeBefore = words.size
    const gone = oldWords.difference(newWords)
    for (const word of gone) addId(words, word, 'removed', id)
    for (const word of addedWords(oldWords, newWords, gone)) addId(words, word, 'added', id)
    collected += words.size - sizeBefore
    if (collected < maxCollected) continue
    yield* inParts(blocks)
    blocks.clear()
    collected = 0
  }
  if (collected > 0) yield* inParts(blocks)
}

const beginningOf = (word: string): string => word.slice(0, 2)

/** The new words, and the old ones whose entries may be those of a word that is gone. */
function addedWords(
  oldWords: ReadonlySet<string>,
  newWords: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Iterable<string> {
  if (gone.size === 0) return newWords.difference(oldWords)
  const beginnings = new Set(Array.from(gone, beginningOf))
  return [...newWords].filter((word) => !oldWords.has(word) || beginnings.has(beginningOf(word)))
}

function addId(words: ChangesByWord, word: string, kind: keyof IdChange, id: number): void {
  const change = words.get(word) ?? { added: [], removed: [] }
  words.set(word, change)
  // Memory for 17 numbers is taken by the first one that is pushed to an empty list.
  if (change[kind].length === 0) change[kind] = [id]
  else change[kind].push(id)
}

/** Where there are many words, all that products lose comes before what they get or keep. */
function* inParts(blocks: ChangesByBlock): Generator<readonly EntryChange[]> {
  const sizes = Array.from(blocks.values(), ({ size }) => size)
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxExpanded) {
    yield [...blocks].flatMap(([block, words]) => entriesOfWords(block, words))
    return
  }
  for (const [block, words] of blocks) {
    // Neighbours share most of their entries.
    const sorted = [...words].sort(([one], [other]) => (one < other ? -1 : 1))
    for (const kind of ['removed', 'added'] as const) {
      const some = sorted.filter(([, change]) => change[kind].length > 0)
      for (let at = 0; at < some.length; at += maxExpanded) {
        const part = some.slice(at, at + maxExpanded)
        const ofKind = part.map(
          ([word, change]) => [word, { ...noIds, [kind]: change[kind] }] as const,
        )
        yield entriesOfWords(block, ofKind)
      }
    }
  }
}

const noIds: IdChange = { added: [], removed: [] }

/** The changes of entries; most belong to one word, whose lists they share. */
function entriesOfWords(
  block: number,
  words: Iterable<readonly [word: string, change: IdChange]>,
): readonly EntryChange[] {
  const entries = new Map<string, IdChange>()
  const merged = new Set<IdChange>()
  for (const [word, change] of words) {
    for (const entry of entriesOf(word)) {
      const known = entries.get(entry)
      if (known === undefined) entries.set(entry, change)
      else if (merged.has(known)) addAll(known, change)
      else {
        const both = { added: [...known.added], removed: [...known.removed] }
        addAll(both, change)
        merged.add(both)
        entries.set(entry, both)
      }
    }
  }
  return Array.from(entries, ([word, { added, removed }]) => ({ word, block, added, removed }))
}

function addAll(change: IdChange, { added, removed }: IdChange): void {
  for (const id of added) change.added.push(id)
  for (const id of removed) change.removed.push(id)
}

/** The characters of the texts that a transaction keeps until it ends. */
const maxPending = 2_000_000

/** The changes of a transaction that are not in the index yet. */
interface PendingChanges {
  readonly byId: Map<number, WordChange>
  readonly writer: EntryWriter
  size: number
}

const pendingChanges = new WeakMap<object, PendingChanges>()

const sizeOf = (text: IndexedText | null): number => text?.search_text.length ?? 0

/**
 * Updates the word index at the end of the open transaction, so that all changes of a product, and of products that
 * share words, are one; before, where their texts take too much memory. Throws a StoreMisuseError outside a transaction.
 */
export async function updateWordIndex(db: Db, wordChanges: readonly WordChange[]): Promise<void> {
  const pending = pendingOf(db)
  for (const { id, before, after } of wordChanges) {
    const known = pending.byId.get(id)
    const first = known ? known.before : before
    pending.byId.set(id, { id, before: first, after })
    pending.size += sizeOf(before) + sizeOf(after)
    if (pending.size > maxPending) await writePending(pending, false)
  }
}

function pendingOf(db: Db): PendingChanges {
  const scope = currentTransaction() ?? {}
  const known = pendingChanges.get(scope)
  if (known) return known
  const pending: PendingChanges = { byId: new Map(), writer: new EntryWriter(db), size: 0 }
  beforeCommit(() => writePending(pending, true))
  pendingChanges.set(scope, pending)
  return pending
}

async function writePending(pending: PendingChanges, isLast: boolean): Promise<void> {
  const changes = [...pending.byId.values()]
  pending.byId.clear()
  pending.size = 0
  await pending.writer.write(entryChanges(changes), isLast)
}

/**
 * True where the id in this column is in the set. SQLite reads the byte with its bit as the code of an ASCII
 * character; a byte of 0 gives null. PostgreSQL reads no bit beyond the last.
 */
export function isInIdSet(db: Db, column: string, found: IdSet): RawBuilder<SqlBool> {
  const id = sql.ref(column)
  if (dialectOf(db) === 'postgres') {
    const bytes = found.bytes()
    const bit = sql`get_bit(${bytes}::bytea, ${id}::integer)`
    return sql<SqlBool>`(case when ${id} < ${8 * bytes.length} then ${bit} else 0 end) > 0`
  }
  const byte = sql`substr(${found.packed()}, ${id} / 7 + 1, 1)`
  return sql<SqlBool>`(unicode(${byte}) >> (${id} % 7)) & 1`
}
