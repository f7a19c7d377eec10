import { useEffect, useId, useRef, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import css from './Dialog.module.css'
import { takeOver } from './Popover.tsx'
import { goToTooLong } from './tooLong.ts'
import { words } from './words.ts'

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  /** Buttons, the one that goes on last. */
  readonly footer?: ReactNode
  readonly onClose: () => void
  /** `side` is a panel at the right edge that fills the screen on a phone. */
  readonly shape?: 'box' | 'wide' | 'side'
  /** Enter in a field submits, Ctrl+Enter in text of several lines too; not while a text in it is too long. */
  readonly onSubmit?: () => void
  /** False: neither Escape, the backdrop nor a cross closes it. The backdrop never closes one in which something is entered (`onSubmit`). */
  readonly dismissable?: boolean
}

/** Where work in the dialog begins: the first thing to fill in, else the button that goes on. The cross in the corner is neither. */
function firstStop(dialog: HTMLDialogElement): HTMLElement | null {
  const entry = dialog.querySelector<HTMLElement>(`.${css['body']} :is(input, select, textarea):not([type='checkbox'], [data-aside], :disabled, :read-only:not(select))`)
  return entry ?? dialog.querySelector<HTMLElement>(`.${css['foot']} button:last-of-type`)
}

/** A modal native dialog: focus stays inside, Escape closes, focus returns to where it was. Mounted means open. */
export function Dialog({ title, children, footer, onClose, shape = 'box', onSubmit, dismissable = true }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open) return undefined
    const before = document.activeElement
    dialog.showModal()
    firstStop(dialog)?.focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement) before.focus()
      // What opened it may be gone by now: the keyboard goes on at the page.
      takeOver(document.querySelector('main h1'))
    }
  }, [])
  const content = (
    <>
      <header className={css['head']}>
        <h2 id={titleId}>{title}</h2>
        {dismissable && <IconButton icon="close" label={words().close} onClick={onClose} />}
      </header>
      <div className={css['body']}>{children}</div>
      {footer !== undefined && <footer className={css['foot']}>{footer}</footer>}
    </>
  )
  return (
    <dialog
      ref={ref}
      className={classes(css['dialog'], css[shape])}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (dismissable) onClose()
      }}
      onMouseDown={(event) => {
        // A press beside it that was not meant must not cost what was typed into it.
        if (dismissable && onSubmit === undefined && event.target === event.currentTarget) onClose()
      }}
    >
      {onSubmit === undefined ? (
        <div className={css['frame']}>{content}</div>
      ) : (
        <form
          className={css['frame']}
          noValidate
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.ctrlKey || event.defaultPrevented) return
            event.preventDefault()
            const form = event.currentTarget
            // The box it was pressed in has handed in what it holds; the next moment that is drawn.
            queueMicrotask(() => {
              // As with Enter, nothing goes on while the button that goes on does not.
              if (form.querySelector('button[type="submit"]:is(:disabled, [aria-disabled])') === null) form.requestSubmit()
            })
          }}
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            if (!goToTooLong(event.currentTarget)) onSubmit()
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  )
}
