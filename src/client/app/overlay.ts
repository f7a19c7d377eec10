import { loadingEndsMs } from './constants.ts'

/** The page is there: the loading overlay goes. */
export function hideOverlay(): void {
  const overlay = document.getElementById('overlay')
  if (overlay) overlay.hidden = true
}

/** Lies over the page, which stays to be seen, while it is left for another one: until that is there, for two seconds at most. */
export function showOverlay(): void {
  const overlay = document.getElementById('overlay')
  if (overlay) {
    overlay.dataset['veil'] = ''
    overlay.hidden = false
  }
  setTimeout(hideOverlay, loadingEndsMs)
}
