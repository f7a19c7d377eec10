import { useState } from 'react'
import type { ApprovalRow, DecisionBody } from '#api/approval.ts'
import type { Param, ScreenAction } from '#meta/resolved.ts'
import { ActionDialog } from '../table/ActionDialog.tsx'
import { typedAt, typingPlace, type Typed } from '../data/typed.ts'

interface CutDialogProps {
  readonly row: ApprovalRow
  readonly params: readonly Param[]
  readonly resource: string
  readonly onApprove: (typed: Typed, body: DecisionBody) => void
  readonly onClose: () => void
}

/** Approves a document with less of its lines: what each has is where its number begins, and the most it may be. */
export function CutDialog({ row, params, resource, onApprove, onClose }: CutDialogProps) {
  const [document] = useState(() => ({ ID: row.DocID }))
  const action: ScreenAction = { id: 'approve', label: 'ui.approval.cut', tone: 'positive', scope: 'rows', guard: '', does: { kind: 'transition', action: 'approve' }, params, reason: 'none', confirm: false }
  return (
    <ActionDialog
      action={action}
      resource={resource}
      rows={[document]}
      nameOf={() => row.DocCode}
      isBusy={false}
      errors={[]}
      onRun={(input) => onApprove(typedAt(typingPlace(`${resource}.approve`, [document])), input)}
      onClose={onClose}
    />
  )
}
