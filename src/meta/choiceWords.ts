import type { Field } from '#meta/resolved.ts'

/** A value in the words of its field; of `a=B, c=D` each part that has words. Undefined: nothing of it has. */
export function choiceWords({ choices, choicesBy }: Pick<Field, 'choices' | 'choicesBy'>, value: unknown, translate: (key: string) => string): string | undefined {
  const word = (part: unknown): string | undefined => {
    const choice = choices?.find((one) => one.value === part)
    return choice === undefined ? undefined : translate(choice.label)
  }
  if (choicesBy === undefined || typeof value !== 'string' || !value.includes('=')) return word(value)
  return value.split(', ').map((pair) => pair.split('=').map((part) => word(part) ?? part).join(': ')).join(' · ')
}
