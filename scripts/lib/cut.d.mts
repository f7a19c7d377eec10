/** Names of the pieces of each part. */
export function cut(pieces: Readonly<Record<string, number>>, parts: number): string[][]
