const atOnce = 12

/** Works through a long list, some of it at once: server and database, each in a thread of its own, wake one another once for several. Answers in the order of the list. */
export async function someAtOnce<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < list.length; at += atOnce) results.push(...(await Promise.all(list.slice(at, at + atOnce).map(work))))
  return results
}
