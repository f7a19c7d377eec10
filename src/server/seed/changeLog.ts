import type { ChangeLogEntry, LegalLanguage } from '#api/account.ts'
import type { Row } from '#server/context.ts'

type Texts = Readonly<Record<LegalLanguage, readonly [title: string, body?: string]>>

interface Release {
  readonly version: string
  readonly day: string
  readonly entries: readonly (readonly [kind: ChangeLogEntry['kind'], texts: Texts])[]
}

/** What users notice of each version, newest last. Entries are added, never moved: their place is their key. */
const releases: readonly Release[] = [
  {
    version: '0.1.0',
    day: '2026-11-01',
    entries: [
      ['NEW', {
        en: ['One order from entry to cash', 'Orders, credit approval, delivery, billing, payment and the reports on them.'],
        cn: ['从下单到收款的完整流程', '订单、信用审批、配送、开票、收款及相关报表。'],
        id: ['Satu pesanan dari entri sampai uang', 'Pesanan, persetujuan kredit, pengiriman, penagihan, pembayaran, dan laporannya.'],
      }],
      ['NEW', {
        en: ['Lists, forms and reports that remember', 'Columns, filters and page sizes stay as you left them, in three themes and three languages.'],
        cn: ['会记忆的列表、表单和报表', '列、筛选和每页行数保持您离开时的样子,提供三种主题和三种语言。'],
        id: ['Daftar, formulir, dan laporan yang mengingat', 'Kolom, filter, dan ukuran halaman tetap seperti Anda tinggalkan, dalam tiga tema dan tiga bahasa.'],
      }],
      ['NEW', {
        en: ['Your account in your hands', 'A profile with all places you are signed in, a new password by mail when the old one is forgotten, and sign-in with the account of your company.'],
        cn: ['账户由您掌控', '个人资料列出您的所有登录位置;忘记密码时可通过邮件设置新密码;也可使用公司账户登录。'],
        id: ['Akun di tangan Anda', 'Profil dengan semua tempat Anda masuk, kata sandi baru lewat surel bila yang lama terlupa, dan masuk dengan akun perusahaan Anda.'],
      }],
    ],
  },
]

/** The rows of the change log in every language. */
export function changeLog(): readonly Row[] {
  return releases.flatMap(({ version, day, entries }) =>
    entries.flatMap(([kind, texts], place) =>
      Object.entries(texts).map(([language, [title, body]]) => ({ version, released_at: day, kind, language, title, body: body ?? null, sort_order: place + 1 })),
    ),
  )
}
