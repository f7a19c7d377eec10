import { withoutUnseen } from '#base/unseen.ts'

/** What is pasted or dropped into any box of text comes without what nobody sees. Passwords are whatever they are. */
export function leaveOutUnseen(): void {
  window.addEventListener(
    'beforeinput',
    (event) => {
      const { data, target, inputType } = event
      const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'password')
      if (!isText || data === null || !inputType.startsWith('insertFrom')) return
      const seen = withoutUnseen(data)
      if (seen === data) return
      event.preventDefault()
      // Its own step to undo, within what the box may hold.
      document.execCommand('insertText', false, seen)
    },
    true,
  )
}
