/** May the page be opened while the password is too old? Only home, where the alert stands, and the page it leads to. */
export function isOpenWhileExpired(pathname: string): boolean {
  return pathname === '/home' || pathname === '/profile/change-password'
}
