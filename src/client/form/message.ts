/** Something to tell the user: a message key with its parameters, or a sentence the server has already written; `priced`: while pricing, which says it again or not at all. */
export type Message = { readonly key: string; readonly params?: Readonly<Record<string, string | number>> } | { readonly text: string; readonly priced?: boolean }

/** Looks the key up, or gives the server's sentence. */
export function say(message: Message, t: (key: string, params?: Record<string, string | number>) => string): string {
  return 'text' in message ? message.text : t(message.key, { ...message.params })
}
