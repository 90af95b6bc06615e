import { brokenWorkbook } from './read-xml.ts'

/** The characters of a cell: a spreadsheet has a quarter of them. */
export const maxCellLength = 131_072

/** A character that XML cannot have, and what stands for it (ECMA-376 part 1, 22.9.2.19). */
const escaped = /_x([0-9A-Fa-f]{4})_/g

/** Collects the text of a cell: of its elements `t`, but for what says how it is pronounced. */
export class TextReader {
  #text = ''
  #isInText = false
  #isPronunciation = false

  begin(): void {
    this.#text = ''
    this.#isInText = false
    this.#isPronunciation = false
  }

  open(name: string): void {
    if (name === 'rPh') this.#isPronunciation = true
    else if (name === 't') this.#isInText = !this.#isPronunciation
  }

  add(text: string): void {
    if (!this.#isInText) return
    this.#text += text
    if (this.#text.length > maxCellLength) throw brokenWorkbook()
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPronunciation = false
    else if (name === 't') this.#isInText = false
  }

  /** Returns the text since `begin`. */
  end(): string {
    return unescapeText(this.#text)
  }
}

/** Returns a text with the characters that XML cannot have. */
export const unescapeText = (text: string): string =>
  text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
