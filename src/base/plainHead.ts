/** The head of a column as it is compared, in any script: `Bill address` and `bill_address` are one. */
export function plainHead(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
