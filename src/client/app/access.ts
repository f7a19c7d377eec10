/** May the page be opened while the password is too old? Only home, where the alert stands, and the profile. */
export function isOpenWhileExpired(pathname: string): boolean {
  return pathname === '/home' || pathname === '/profile' || pathname.startsWith('/profile/')
}
