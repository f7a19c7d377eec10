import { reasons } from '../reasons.ts'

/** Why approvers of the demo company reject orders, by what is wrong with them: the reason, and what they write beside it. */
interface Refused {
  readonly reason: string
  readonly notes: readonly string[]
}

const refused: Readonly<Record<string, Refused>> = {
  CL01: {
    reason: 'J01',
    notes: [
      'Plafon sudah penuh. Kurangi jumlahnya atau ajukan kenaikan plafon lebih dulu.',
      'Pesanan ini melewati plafon terlalu jauh, tunggu pelunasan minggu ini.',
      'Masih ada pesanan lain yang belum dikirim. Kirim itu dulu, sisanya menyusul.',
    ],
  },
  CL02: {
    reason: 'J02',
    notes: [
      'Tunggu pembayaran faktur yang jatuh tempo, setelah itu ajukan lagi.',
      'Sudah dua kali janji bayar tidak ditepati. Salesman mohon tagih dulu.',
      'Minta bukti transfer dari toko, baru bisa dilepas.',
      'Tagihan bulan lalu belum lunas, jangan tambah piutang.',
    ],
  },
  PR01: {
    reason: 'J03',
    notes: [
      'Harga di bawah batas tanpa persetujuan prinsipal. Pakai harga daftar.',
      'Diskon manual terlalu besar untuk jumlah ini, mohon dihitung ulang.',
    ],
  },
}

const other: Refused = {
  reason: 'J05',
  notes: ['Data pelanggan belum lengkap, lengkapi dulu sebelum diajukan lagi.', 'Belum bisa disetujui sebelum plafon ditinjau ulang.'],
}

/** What is said of the order with this id, put together as the words of a living approver are: the same id, the same words, and no dice thrown for them. */
export function refusalOf(codes: readonly string[], id: number): { readonly reason: string; readonly note: string } {
  const { reason, notes } = codes.map((code) => refused[code]).find((one) => one !== undefined) ?? other
  const name = reasons.find(({ code }) => code === reason)?.name
  return { reason, note: [name, notes[id % notes.length]].filter(Boolean).join(': ') }
}
