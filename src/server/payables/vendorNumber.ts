/** What of a vendor's number tells invoices apart: its letters and digits, in capitals. */
export function numberKey(number: string): string {
  return capitals(number).replace(/[^\p{L}\p{N}]/gu, '')
}

/** The same without the zeros a number begins with, wherever one stands in it. */
export function looseNumber(number: string): string {
  return numberKey(capitals(number).replace(/(?<!\p{N})0+(?=\p{N})/gu, ''))
}

function capitals(number: string): string {
  return number.normalize('NFKC').toUpperCase()
}
