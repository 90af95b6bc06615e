import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as spanish } from '@orama/stemmers/spanish'

const stemmers = [english, german, french, spanish]

/** The plurals of which no stemmer finds the singular, folded; both begin with the same letter. */
const irregularPlurals = `
  knife knives, shelf shelves, leaf leaves, loaf loaves, scarf scarves, wolf wolves, half halves, calf calves,
  life lives, hoof hooves, thief thieves, wife wives, elf elves, dwarf dwarves,
  child children, man men, woman women, foot feet, tooth teeth, goose geese, mouse mice, person people,
  tv tvs, cd cds,
  bijou bijoux, caillou cailloux, chou choux, genou genoux, hibou hiboux, joujou joujoux,
  travail travaux, vitrail vitraux, email emaux, corail coraux,
  luz luces, lapiz lapices, pez peces, voz voces, nuez nueces, cruz cruces, raiz raices, tapiz tapices,
  nariz narices, maiz maices, arroz arroces, matriz matrices`
const singulars: ReadonlyMap<string, string> = new Map(
  irregularPlurals.split(',').map((pair) => {
    const [singular = '', plural = ''] = pair.trim().split(/\s+/)
    return [plural, singular] as const
  }),
)

const stemmable = /^[a-z]{3,}$/
const minStemLength = 3
/**
 * How plurals, and what they are plurals of, end after their stem. Stemmers also take off what makes another word,
 * such as that of `cameras` down to `cam`.
 */
const ends = new Set(' a as e em en er ern es n o os s x'.split(' '))
/** The letters of a stem that are not those of the word, such as in `battery` and `batteri`. */
const maxOtherLetters = 2

function isOfPlural(word: string, stem: string): boolean {
  if (stem.length < minStemLength) return false
  return word.startsWith(stem)
    ? ends.has(word.slice(stem.length))
    : word.startsWith(stem.slice(0, -maxOtherLetters)) &&
        word.length - stem.length <= maxOtherLetters
}

/** The `e` of an umlaut in a German plural that is written with it, such as in `glaeser`. */
const umlautOfPlural = /(?<=[aou])e(?=u?[b-df-hj-np-tv-xz]+(?:e|en|er|ern)$)/

function findStems(word: string): readonly string[] {
  const singular = singulars.get(word) ?? word
  if (!stemmable.test(singular)) return [singular]
  const withoutUmlaut = singular.replace(umlautOfPlural, '')
  const stems = [
    ...stemmers.map((stem) => stem(singular)).filter((stem) => isOfPlural(singular, stem)),
    ...[german(withoutUmlaut)].filter((stem) => isOfPlural(withoutUmlaut, stem)),
  ]
  return stems.length === 0 ? [singular] : [...new Set(stems)]
}

const known = new Map<string, readonly string[]>()
const maxKnown = 20_000

/**
 * The stems of a folded word, which it shares with its plural: in English, German, French and Spanish, since
 * nobody says what language a product or a search is in. Mostly one or two; of any other word the word itself.
 */
export function stemsOf(word: string): readonly string[] {
  const before = known.get(word)
  if (before) return before
  if (known.size >= maxKnown) known.clear()
  const stems = findStems(word)
  known.set(word, stems)
  return stems
}
