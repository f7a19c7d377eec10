import { useState } from 'react'
import type { ProposalState, StudioProposal } from '#api/studio.ts'
import type { Tone } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { downloadFile, saveFile } from '../export/downloadFile.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { RecordItem, Records, type RecordsProblem } from '../ui/Records.tsx'
import { patchCall, withdrawProposal } from './studioCalls.ts'

const tones: Readonly<Record<ProposalState, Tone>> = { PROPOSED: 'info', WITHDRAWN: 'neutral', PUBLISHED: 'positive' }

interface ProposalListProps {
  readonly records: readonly StudioProposal[] | undefined
  readonly problem?: RecordsProblem | undefined
  readonly onChanged: () => void
}

/** Proposals with their state, the files they change and their patch. */
export function ProposalList({ records, problem, onChanged }: ProposalListProps) {
  return (
    <Records records={records} problem={problem} empty={{ icon: 'inbox', title: t('studio.no-proposals') }}>
      {(proposal) => <One key={proposal.ID} proposal={proposal} onChanged={onChanged} />}
    </Records>
  )
}

function One({ proposal, onChanged }: { readonly proposal: StudioProposal; readonly onChanged: () => void }) {
  const { Title, Path, State, OwnerName, IsOwn, CreatedAt, Note, Files } = proposal
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    const answer = await downloadFile(patchCall(proposal), () => undefined)
    setBusy(false)
    if (answer.ok) saveFile(answer.value)
    else void notify({ tone: 'error', text: answer.problem.text })
  }
  const withdraw = async () => {
    setBusy(true)
    const answer = await withdrawProposal(proposal)
    setBusy(false)
    void notify(answer.ok ? { tone: 'success', text: t('studio.withdrawn') } : { tone: 'error', text: answer.problem.text })
    onChanged()
  }
  return (
    <RecordItem
      title={Title}
      badge={<Badge tone={tones[State]}>{t(`studio.state.${State}`)}</Badge>}
      facts={[[Path, IsOwn ? '' : OwnerName, saidTime(CreatedAt)].filter((part) => part !== '').join(' · '), Note]}
      more={{ summary: t('studio.files', { n: Files.length }), lines: Files }}
      deeds={
        <>
          {IsOwn && State === 'PROPOSED' && (
            <Button busy={isBusy} onClick={() => void withdraw()}>
              {t('studio.withdraw')}
            </Button>
          )}
          <Button icon="download" busy={isBusy} aria-label={t('studio.download', { title: Title })} onClick={() => void download()}>
            {t('studio.patch')}
          </Button>
        </>
      }
    />
  )
}
