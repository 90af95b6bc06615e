/** Latin letters that have no decomposition, as they are sorted and searched. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ŧ: 't',
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
const accents = /[\u0300-\u036f]+/g

/** A text in lower case without accents, such as `łódź` as `lodz`. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(accents, '')
    .replace(special, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
