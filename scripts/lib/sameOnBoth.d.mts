export const sameOnBoth: readonly string[]
export const decidedBefore: readonly string[]
