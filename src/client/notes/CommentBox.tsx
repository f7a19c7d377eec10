import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { longestComment, type CommentBody, type Mention, type Person } from '#api/comments.ts'
import { t } from '../app/messages.ts'
import { UserPicture } from '../app/UserPicture.tsx'
import { findPeople } from '../data/comments.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import { tooLong } from '../ui/tooLong.ts'
import css from './CommentBox.module.css'
import { complete, stillMentioned, typingAt, type Typing } from './mention.ts'

interface CommentBoxProps {
  readonly resource: string
  readonly id: number
  readonly label: string
  readonly start: { readonly text: string; readonly mentions: readonly Mention[] }
  readonly submit: string
  readonly isBusy: boolean
  readonly problem?: string | undefined
  /** Answers whether it is sent: what has been typed meanwhile stays, for the next one. */
  readonly onSubmit: (body: CommentBody) => Promise<boolean>
  readonly onChange?: (text: string, mentions: readonly Mention[]) => void
  readonly onCancel?: () => void
}

const findDelayMs = 150

/** Text with @names: arrows and Enter choose a name, Escape closes the list, Ctrl+Enter sends. */
export function CommentBox({ resource, id, label, start, submit, isBusy, problem, onSubmit, onChange, onCancel }: CommentBoxProps) {
  const listId = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const note = useRef<HTMLParagraphElement>(null)
  const [text, setText] = useState(start.text)
  const [chosen, setChosen] = useState(start.mentions)
  const [typing, setTyping] = useState<Typing>()
  const [found, setFound] = useState<{ readonly search: string; readonly people: readonly Person[]; readonly isNobody: boolean }>()
  const [active, setActive] = useState(0)
  /** The key that came before the answer: what was found for less of the name is not what is meant. */
  const [awaited, setAwaited] = useState<'Enter' | 'Tab'>()

  const search = typing?.search
  const people = found?.people ?? []
  const isAnswered = found !== undefined && found.search === search
  useEffect(() => {
    if (search === undefined) return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      void findPeople(resource, id, search, stop.signal).then((answer) => {
        if (stop.signal.aborted) return
        const records = answer.ok ? answer.value.records : []
        // Behind a name that was found comes the rest of the sentence.
        setFound((before) => ({ search, people: records, isNobody: answer.ok && records.length === 0 && /^\p{L}{2}/u.test(search) && (before === undefined || before.isNobody || !/\s/.test(search)) }))
        setActive(0)
      })
    }, findDelayMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [resource, id, search])

  const long = tooLong(text, longestComment)
  const told = long ?? problem
  const change = (next: string, mentions = chosen) => {
    setText(next)
    onChange?.(next, stillMentioned(next, mentions))
  }
  const look = () => {
    const next = box.current === null ? undefined : typingAt(box.current.value, box.current.selectionStart, chosen)
    setTyping(next)
    if (next === undefined) setFound(undefined)
    if (next?.search !== search) setAwaited(undefined)
  }
  const choose = (person: Person) => {
    if (box.current === null || typing === undefined) return
    const done = complete(text, box.current.selectionStart, typing, person.Name)
    const mentions = [...chosen, { ID: person.ID, Name: person.Name }]
    setChosen(mentions)
    change(done.text, mentions)
    setTyping(undefined)
    setFound(undefined)
    goTo(done.caret)
  }
  const goTo = (caret: number) => {
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(caret, caret)
    })
  }
  const takeAwaited = useEffectEvent(() => {
    const [first] = people
    const caret = box.current?.selectionStart ?? text.length
    setAwaited(undefined)
    if (first !== undefined) choose(first)
    else if (awaited === 'Enter') {
      change(`${text.slice(0, caret)}\n${text.slice(caret)}`)
      goTo(caret + 1)
    }
  })
  useEffect(() => {
    if (awaited !== undefined && isAnswered) takeAwaited()
  }, [awaited, isAnswered])
  const send = () => {
    if (text.trim() === '' || isBusy) return
    if (long !== undefined) return box.current?.focus()
    void onSubmit({ Text: text.trim(), Mentions: stillMentioned(text, chosen).map((mention) => mention.ID) }).then((isSent) => {
      const now = box.current?.value ?? ''
      if (isSent && box.current !== null) change(now.startsWith(text) ? now.slice(text.length).trimStart() : now)
    })
  }
  const isOpen = typing !== undefined && people.length > 0
  const unknown = typing !== undefined && isAnswered && found.isNobody ? search : undefined
  const count = people.length
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, count])
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  useEffect(() => {
    if (unknown !== undefined) note.current?.scrollIntoView({ block: 'nearest' })
  }, [unknown])
  const onKeyDown = (event: KeyboardEvent) => {
    const person = people[active]
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + people.length) % people.length)
    } else if (isOpen && !isAnswered && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      setAwaited(event.key)
    } else if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && person !== undefined) {
      event.preventDefault()
      choose(person)
    } else if (event.key === 'Escape') {
      if (isOpen) {
        event.preventDefault()
        event.stopPropagation()
        setTyping(undefined)
      } else onCancel?.()
    }
  }
  return (
    <div className={css['box']}>
      <div className={css['entry']}>
        <textarea
          ref={box}
          className={input['input']}
          rows={3}
          data-too-long={long === undefined ? undefined : true}
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
          aria-invalid={told !== undefined || undefined}
          aria-describedby={`${listId}-hint${told === undefined ? '' : ` ${listId}-problem`}`}
          placeholder={label}
          value={text}
          onChange={(event) => {
            change(event.target.value)
            look()
          }}
          onSelect={look}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setTyping(undefined)
            setAwaited(undefined)
          }}
        />
        <ul ref={list} id={listId} role="listbox" aria-label={t('ui.comments.people')} className={css['people']} hidden={!isOpen}>
          {isOpen &&
            people.map((person, i) => (
              <li
                key={person.ID}
                id={`${listId}-${i}`}
                role="option"
                aria-selected={i === active}
                className={classes(css['person'], i === active && css['active'])}
                onPointerDown={(event) => {
                  event.preventDefault()
                  choose(person)
                }}
              >
                <UserPicture name={person.Name} pictureKey={person.PictureKey} />
                <span>{person.Name}</span>
                <span className={css['role']}>{person.RoleName}</span>
              </li>
            ))}
        </ul>
      </div>
      <p ref={note} role="status" className={css['unknown']}>
        {unknown !== undefined && t('ui.comments.nobody', { name: unknown.trim() })}
      </p>
      {told !== undefined && (
        <p id={`${listId}-problem`} role="alert" className={input['problem']}>
          {told}
        </p>
      )}
      <div className={css['foot']}>
        <span id={`${listId}-hint`} className={css['hint']}>
          {t('ui.comments.hint')}
        </span>
        {onCancel !== undefined && <Button onClick={onCancel}>{t('ui.cancel')}</Button>}
        <Button look="primary" busy={isBusy} disabled={text.trim() === ''} onClick={send}>
          {submit}
        </Button>
      </div>
    </div>
  )
}
