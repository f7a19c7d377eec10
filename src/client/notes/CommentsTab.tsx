import { useEffect, useRef, useState } from 'react'
import type { Comment, CommentBody, Mention } from '#api/comments.ts'
import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { saidTime } from '../app/saidTime.ts'
import { UserPicture } from '../app/UserPicture.tsx'
import { addComment, changeComment, listComments, removeComment } from '../data/comments.ts'
import { newKey } from '../data/http.ts'
import { readSealed, writeSealed } from '../data/sealedStore.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { List, ListItem } from '../ui/List.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { CommentBox } from './CommentBox.tsx'
import css from './CommentsTab.module.css'
import { partsOf } from './mention.ts'

interface CommentsTabProps {
  readonly resource: string
  readonly id: number
  readonly userId: number
  readonly onCount: (count: number) => void
}

/** What people say about a record, oldest first; the newest is written below. */
export function CommentsTab({ resource, id, userId, onCount }: CommentsTabProps) {
  const { value, problem, reload, set } = useAnswer(`comments ${resource} ${id}`, (signal) => listComments(resource, id, signal))
  const [edited, setEdited] = useState<number>()
  const [leaving, setLeaving] = useState<Comment>()
  // Its box has gone: the keyboard goes on at the button that opened it.
  const [left, setLeft] = useState<number>()
  const records = value?.records
  if (problem !== undefined && records === undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (records === undefined) return <Skeleton lines={5} />
  const keep = (next: readonly Comment[]) => {
    set({ records: next })
    onCount(next.length)
  }
  return (
    <div className={css['comments']}>
      {records.length === 0 ? (
        <EmptyState title={t('ui.comments.none')} icon="comment" />
      ) : (
        <List label={t('tab.comments')}>
          {records.map((comment) =>
            edited === comment.ID ? (
              <Edited
                key={comment.ID}
                resource={resource}
                id={id}
                userId={userId}
                comment={comment}
                onClose={() => {
                  setEdited(undefined)
                  setLeft(comment.ID)
                }}
                onDone={(changed) => {
                  setEdited(undefined)
                  setLeft(comment.ID)
                  keep(records.map((one) => (one.ID === changed.ID ? changed : one)))
                }}
              />
            ) : (
              <Written key={comment.ID} comment={comment} isLeft={comment.ID === left} onEdit={() => setEdited(comment.ID)} onRemove={() => setLeaving(comment)} />
            ),
          )}
        </List>
      )}
      <NewComment key={`${resource} ${id}`} resource={resource} id={id} userId={userId} onDone={(comment) => keep([...records, comment])} />
      {leaving !== undefined && (
        <TakeBack
          resource={resource}
          id={id}
          comment={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            setLeaving(undefined)
            keep(records.filter((one) => one.ID !== leaving.ID))
          }}
        />
      )}
    </div>
  )
}

function Written({ comment, isLeft, onEdit, onRemove }: { readonly comment: Comment; readonly isLeft: boolean; readonly onEdit: () => void; readonly onRemove: () => void }) {
  const isOpen = useIsBefore(comment.ChangeUntil)
  return (
    <ListItem
      picture={<UserPicture name={comment.AuthorName} pictureKey={comment.AuthorPictureKey} />}
      title={comment.AuthorName}
      text={
        <>
          <Moment at={comment.WrittenAt} />
          {comment.EditedAt !== null && <span title={saidTime(comment.EditedAt)}>· {t('ui.comments.edited')}</span>}
        </>
      }
      actions={
        isOpen && (
          <>
            <IconButton icon="edit" label={t('ui.comments.edit')} autoFocus={isLeft} onClick={onEdit} />
            <IconButton icon="trash" label={t('ui.comments.remove')} onClick={onRemove} />
          </>
        )
      }
    >
      <p className={css['text']}>
        {partsOf(comment.Text, comment.Mentions).map((part, i) =>
          part.isMention ? (
            <strong key={i} className={css['mention']}>
              {part.text}
            </strong>
          ) : (
            part.text
          ),
        )}
      </p>
    </ListItem>
  )
}

interface OneComment {
  readonly resource: string
  readonly id: number
  readonly comment: Comment
  readonly onClose: () => void
}

function Edited({ resource, id, userId, comment, onClose, onDone }: OneComment & { readonly userId: number; readonly onDone: (changed: Comment) => void }) {
  const unsent = useUnsent(`comment:${userId}:${resource}:${id}:${comment.ID}`, { text: comment.Text, mentions: comment.Mentions })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (unsent.start === undefined) return null
  const save = async (body: CommentBody) => {
    setBusy(true)
    const answer = await changeComment(resource, id, comment.ID, body)
    setBusy(false)
    if (!answer.ok) {
      setProblem(answer.problem.text)
      return false
    }
    unsent.forget()
    onDone(answer.value.record)
    return true
  }
  return (
    <ListItem title={comment.AuthorName} picture={<UserPicture name={comment.AuthorName} pictureKey={comment.AuthorPictureKey} />}>
      <CommentBox
        resource={resource}
        id={id}
        label={t('ui.comments.edit')}
        start={unsent.start}
        submit={t('ui.comments.save')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={save}
        onChange={unsent.keep}
        onCancel={() => {
          unsent.forget()
          onClose()
        }}
      />
    </ListItem>
  )
}

function TakeBack({ resource, id, comment, onClose, onDone }: OneComment & { readonly onDone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = async () => {
    setBusy(true)
    const answer = await removeComment(resource, id, comment.ID)
    setBusy(false)
    if (answer.ok) onDone()
    else setProblem(answer.problem.text)
  }
  return (
    <ConfirmDialog
      title={t('ui.comments.remove')}
      text={t('ui.comments.remove-text')}
      confirm={t('ui.comments.remove')}
      look="negative"
      busy={isBusy}
      problem={problem}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  )
}

interface NewCommentProps {
  readonly resource: string
  readonly id: number
  readonly userId: number
  readonly onDone: (comment: Comment) => void
}

interface Unsent {
  readonly text: string
  readonly mentions: readonly Mention[]
}

const nothing: Unsent = { text: '', mentions: [] }

/** What was typed and not sent is there again when one comes back; undefined until that is known. */
function useUnsent(place: string, without: Unsent) {
  const [kept, setKept] = useState<Unsent | 'nothing'>()
  useEffect(() => {
    void readSealed(place).then((found) => setKept(isUnsent(found) ? found : 'nothing'))
  }, [place])
  return {
    start: kept === 'nothing' ? without : kept,
    keep: (text: string, mentions: readonly Mention[]) => void writeSealed(place, text === '' ? undefined : { text, mentions }),
    forget: () => void writeSealed(place, undefined),
  }
}

function NewComment({ resource, id, userId, onDone }: NewCommentProps) {
  const unsent = useUnsent(`comment:${userId}:${resource}:${id}`, nothing)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // The same comment sent again after the line broke is one comment.
  const key = useRef(newKey())
  if (unsent.start === undefined) return null
  const send = async (body: CommentBody) => {
    setBusy(true)
    const answer = await addComment(resource, id, body, key.current)
    setBusy(false)
    if (!answer.ok) {
      setProblem(answer.problem.text)
      return false
    }
    key.current = newKey()
    setProblem(undefined)
    unsent.forget()
    onDone(answer.value.record)
    return true
  }
  return (
    <CommentBox
      resource={resource}
      id={id}
      label={t('ui.comments.write')}
      start={unsent.start}
      submit={t('ui.comments.send')}
      isBusy={isBusy}
      problem={problem}
      onSubmit={send}
      onChange={(text, mentions) => {
        key.current = newKey()
        unsent.keep(text, mentions)
      }}
    />
  )
}

function isUnsent(value: unknown): value is Unsent {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'mentions' in value && Array.isArray(value.mentions)
}

/** Is the moment still to come? Says no when it has come. */
function useIsBefore(until: string | null): boolean {
  const left = until === null ? 0 : Date.parse(until) - Date.now()
  const [isOver, setOver] = useState(left <= 0)
  useEffect(() => {
    setOver(left <= 0)
    if (left <= 0) return undefined
    const timer = setTimeout(() => setOver(true), left)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- what is left follows from the moment
  }, [until])
  return !isOver
}
