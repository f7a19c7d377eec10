/** The `ui.sign-in.*` texts of every language, so that the sign-in page need not load a whole catalogue. Made in vite.config.ts. */
declare module 'virtual:sign-in-messages' {
  export const signInMessages: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Set in vite.config.ts from package.json and the commit at hand. */
declare const __ARUS_VERSION__: string
declare const __ARUS_COMMIT__: string
