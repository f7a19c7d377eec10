export const sameOnBoth: readonly string[]
