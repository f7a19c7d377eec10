import { useEffect, useRef } from 'react'
import { useHistory } from '../app/historyContext.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { finishSignIn } from '../data/account.ts'
import { leaveNotice } from '../data/notice.ts'
import { Skeleton } from '../ui/States.tsx'

/** Comes back from the single sign-on provider: exchanges its code for a session. Whatever fails leads to /. */
export function CallbackPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const history = useHistory()
  const isAsked = useRef(false)
  useEffect(() => {
    // A code is good for one exchange.
    if (isAsked.current) return
    isAsked.current = true
    const finish = async () => {
      if (params['code'] === undefined) {
        leaveNotice('SSO_FAILED')
      } else {
        const answer = await finishSignIn(params)
        if (answer.ok) void notify({ tone: 'success', text: t('ui.sign-in.done') })
        else leaveNotice(answer.problem.code === 'SSO_UNKNOWN_USER' ? 'SSO_UNKNOWN_USER' : 'SSO_FAILED')
      }
      history.replace('/')
    }
    void finish()
  }, [history, params])
  return <Skeleton lines={3} />
}
