/** The page whose code or screen did not come, and why. */
let failure: { readonly pathname: string; readonly error: unknown } | undefined

export function rememberFailure(pathname: string, error: unknown): void {
  failure = { pathname, error }
}

export function forgetFailure(pathname: string): void {
  if (failure?.pathname === pathname) failure = undefined
}

/** Why the page cannot be shown; undefined: it can. */
export function failureOf(pathname: string): { readonly error: unknown } | undefined {
  return failure?.pathname === pathname ? failure : undefined
}
