const names = ['Draft', 'Open', 'Partial', 'Closed', 'Waiting', 'Rejected', 'Cancelled', 'Reversed', 'In process', 'Expired'] as const

/** The word of a status code in sentences of the server; screens have their own, translated ones. */
export function statusName(code: unknown): string {
  return names[Number(code)] ?? String(code)
}
