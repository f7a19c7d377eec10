/** Words in small letters, the plural of English ones taken off; a Chinese sign is a word by itself. */
export function tokensOf(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu)].map(([word]) => {
    if (word.length > 3 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
    return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
  })
}
