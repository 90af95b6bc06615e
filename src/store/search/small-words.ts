/**
 * The small words of English, German, French and Spanish, folded. None that names or describes a product in any
 * of them is among them (`hat`, `bin`, `can`, `plus`, `son`, `sobre`).
 */
const smallWords = new Set(
  `a an and are as at be but by for from in into is it its of on or that the their these this to with your
  das dem den der des ein eine einem einen einer eines fuer im ist mit nicht oder und vom von zu zum zur
  au aux avec ce ces cette dans de du elle en est et il la le les leur ou par pour que qui sans se ses sur un une
  al con del el los las lo para por su sus una uno unos unas y`.split(/\s+/),
)
/** What stands before or after an apostrophe. */
const elisions = new Set('c d j l m n qu s t'.split(' '))

/** True for a folded word that a search need not find. */
export const isSmallWord = (word: string, isElided: boolean): boolean =>
  smallWords.has(word) || (isElided && elisions.has(word))
