export const strengths = ['weak', 'fair', 'good', 'strong'] as const
export type Strength = (typeof strengths)[number]

/** Words and rows of keys that guessing begins with. */
const common = /pass(word|wort)?|kata ?sandi|rahasia|bismillah|indonesia|jakarta|qwert[yz]?|asdf|admin|welcome|selamat|letme|iloveyou|sayang|arus|abc|123|111|000/gi

/**
 * How long somebody would have to guess, roughly: each character counts by the size of the alphabet the password uses; repeats, runs (abc,
 * 321), common words and the user's own name count next to nothing. No promise, a hint while one types.
 */
export function passwordStrength(password: string, own: readonly string[] = []): Strength {
  const bits = effectiveLength(password, own) * Math.log2(alphabetOf(password))
  if (bits < 36) return 'weak'
  if (bits < 50) return 'fair'
  return bits < 64 ? 'good' : 'strong'
}

function effectiveLength(password: string, own: readonly string[]): number {
  const names = own.flatMap((text) => text.toLowerCase().split(/[^\p{L}\d]+/u)).filter((word) => word.length >= 3)
  let rest = password.toLowerCase()
  let found = 0
  for (const name of names) {
    if (!rest.includes(name)) continue
    rest = rest.replaceAll(name, '')
    found++
  }
  rest = rest.replace(common, () => {
    found++
    return ''
  })
  return Array.from(rest).filter((character, i, all) => !isExpected(all[i - 1], character)).length + found
}

/** The same character again, or the next one in either direction. */
function isExpected(before: string | undefined, character: string): boolean {
  return before !== undefined && Math.abs((before.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0)) <= 1
}

function alphabetOf(password: string): number {
  const size = (/[a-z]/.test(password) ? 26 : 0) + (/[A-Z]/.test(password) ? 26 : 0) + (/\d/.test(password) ? 10 : 0) + (/[^a-zA-Z\d]/.test(password) ? 30 : 0)
  return Math.max(2, size)
}
