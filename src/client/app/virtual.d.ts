/** The `ui.sign-in.*` texts of every language, so that the sign-in page need not load a whole catalogue. Made in vite.config.ts. */
declare module 'virtual:sign-in-messages' {
  export const signInMessages: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Set in vite.config.ts from package.json and the commit at hand. */
declare const __ARUS_VERSION__: string
declare const __ARUS_COMMIT__: string

/** Development: the screens of the catalogue. Made by scripts/vite-plugin-catalogue.ts. */
declare module 'virtual:catalogue' {
  import type { FormValidation } from '#meta/formValidation.ts'
  import type { ScreenModule } from '#meta/screenModule.ts'

  /** Last part of the path → screen. */
  export const pages: Readonly<Record<string, string>>
  export const screens: Readonly<Record<string, ScreenModule>>
  export const texts: Readonly<Record<string, string>>
  export const validations: Readonly<Record<string, () => Promise<FormValidation>>>
}
